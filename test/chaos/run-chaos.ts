import { RealClock, sleep } from "../../src/core/clock/index.ts";
import { ChaosFleet } from "./chaos-fleet.ts";
import type { ChaosFault } from "./faults.ts";
import { Workload } from "./workload.ts";

const clock = new RealClock();
const changesPerSecond = 10;
/** How long it may take until everything is as it should be again. */
const recoveryLimitMs = 180_000;
/** How often it is said what is still missing. */
const progressMs = 10_000;

type ChaosOptions = {
  /** The control plane's program. */
  readonly program: string;
  readonly faults: readonly ChaosFault[];
  readonly isShort: boolean;
  readonly seed: number;
  readonly logs?: string;
  readonly log: (line: string) => void;
};

/** Plays faults against replicas one after the other. The answer is what was not as it should be after each. */
export async function runChaos({ program, faults, isShort, seed, logs, log }: ChaosOptions): Promise<readonly string[]> {
  const fleet = await ChaosFleet.open(program, { managed: isShort ? 1 : 2, replicas: 3, ...(logs !== undefined && { logs }) });
  const workload = new Workload(fleet, seeded(seed));
  const failures: string[] = [];
  try {
    await workload.create();
    await judge(fleet, workload, "the start", log, failures);
    for (const fault of faults) {
      const said = await playUnderChurn(fleet, workload, fault, isShort).catch((error: unknown) => {
        failures.push(`${fault.name}: ${error instanceof Error ? error.message : String(error)}`);
      });
      await judge(fleet, workload, said === undefined ? fault.name : `${fault.name}: ${said}`, log, failures);
    }
  } finally {
    await fleet.close();
  }
  return failures;
}

async function playUnderChurn(fleet: ChaosFleet, workload: Workload, fault: ChaosFault, isShort: boolean): Promise<string | void> {
  const stop = new AbortController();
  const churning = workload.churn(changesPerSecond, stop.signal);
  try {
    return await fault.play(fleet, isShort);
  } finally {
    stop.abort();
    await churning;
  }
}

/** Waits until all is as it should be, and prints how long that took. */
async function judge(fleet: ChaosFleet, workload: Workload, name: string, log: (line: string) => void, failures: string[]): Promise<void> {
  const startedAt = clock.now();
  let differences = await workload.differences().catch(asDifference);
  for (let toldAt = startedAt; differences.length > 0 && clock.now() < startedAt + recoveryLimitMs;) {
    await sleep(clock, 100);
    if (clock.now() > toldAt + progressMs) {
      toldAt = clock.now();
      log(
        `  after ${Math.round((toldAt - startedAt) / 1000)} s ${differences.length} differences: ${differences.slice(0, 3).join("; ").slice(0, 300)}`,
      );
    }
    differences = await workload.differences().catch(asDifference);
  }
  const took = `${((clock.now() - startedAt) / 1000).toFixed(1)} s`;
  const ended = await replaceEnded(fleet);
  const found = [...differences.slice(0, 20), ...ended.map((how) => `a replica has ended by itself: ${how}`)];
  failures.push(...found.map((each) => `${name}: ${each}`));
  const memory = fleet.memory().join(" ");
  const state = differences.length === 0 ? `as it should be after ${took}` : `${differences.length} differences after ${took}`;
  log(`${name}: ${state} (${workload.size} objects, ${workload.changes} changes, memory ${memory} MB)`);
  for (const each of found) log(`  ${each}`);
}

/** Replaces replicas that have ended by themselves. The answer says how. */
async function replaceEnded(fleet: ChaosFleet): Promise<readonly string[]> {
  const ended = fleet.replicas.filter((replica) => replica.endedBy() !== undefined);
  for (const replica of ended) {
    fleet.remove(replica);
    await fleet.startReplica();
  }
  return ended.map((replica) => replica.endedBy() ?? "");
}

function asDifference(error: unknown): readonly string[] {
  return [`cannot be read: ${String(error)}`];
}

/** Random numbers that a seed repeats. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
