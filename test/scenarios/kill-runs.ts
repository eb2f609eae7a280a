import { historyOf, latestOf, type Revision } from "../../src/release/record/index.ts";
import { outcomeDifferences, heldLeases, hookRunsIn, repeatedHooks, type ActOutcome } from "./act-outcome.ts";
import { embeddedUnderTest, type ClusterUnderTest } from "./cluster-under-test.ts";
import type { KillPoint } from "./killable-connection.ts";
import type { OperationAct } from "./run-operation.ts";
import type { Act, ReleaseScenario } from "./scenario.ts";
import { ScenarioRunner, type ActResult } from "./scenario-runner.ts";

/** An act that succeeds, and how many steps and writes it has. */
export type KillableAct = { readonly at: number; readonly act: OperationAct; readonly steps: number; readonly writes: number };

type UndisturbedAct = KillableAct & { readonly once: ActOutcome };

/**
 * Kills the acts of one scenario that succeed, each time in a new cluster, and runs them again.
 *
 * The same command again must have the outcome of an undisturbed run. When the records said that the operation was
 * complete before the process died, it is a second command: a deletion finds nothing to delete, a rollback without a
 * revision goes back one further, and hooks of every deploy run again. Then the outcome must be that of two undisturbed
 * commands.
 */
export class KillRuns {
  readonly #scenario: ReleaseScenario;
  readonly #acts: readonly UndisturbedAct[];
  readonly #twice = new Map<KillableAct, Promise<ActOutcome>>();

  private constructor(scenario: ReleaseScenario, acts: readonly UndisturbedAct[]) {
    this.#scenario = scenario;
    this.#acts = acts;
  }

  static async of(scenario: ReleaseScenario): Promise<KillRuns> {
    const acts = await withScenarioRunner(scenario, async (runner, underTest) => {
      const found: UndisturbedAct[] = [];
      for (const [at, act] of scenario.acts.entries()) {
        const result = await runner.run(act);
        await underTest.catchUp();
        if (!isKillable(act) || !endsWell(result)) continue;
        const { steps, writes } = result;
        found.push({ at, act, steps, writes, once: await outcomeOf(act, result, runner, underTest) });
      }
      return found;
    });
    return new KillRuns(scenario, acts);
  }

  /** The acts that can be killed. */
  get acts(): readonly KillableAct[] {
    return this.#acts;
  }

  /** Kills an act, runs it again, and returns how the outcome differs from an undisturbed run. */
  async objections(killable: KillableAct, killAt: KillPoint, hasDied?: (holder: string) => boolean): Promise<readonly string[]> {
    const undisturbed = this.#acts.find((each) => each === killable);
    if (undisturbed === undefined) throw new TypeError("a course of another scenario");
    const { at, act, once } = undisturbed;
    return withScenarioRunner(this.#scenario, async (runner, underTest) => {
      await runAll(this.#scenario.acts.slice(0, at), runner, underTest);
      const killed = await runner.run(act, { killAt });
      await underTest.catchUp();
      if (!killed.killed) return ["it was not killed"];
      const left = await latestRevision(act, runner, underTest);
      const runsBefore = hookRunsIn(runner.seen(act));
      const again = await runner.run(act, hasDied === undefined ? {} : { hasDied });
      await underTest.catchUp();
      const found = await outcomeOf(act, again, runner, underTest);
      if (isOver(act, left, once)) return outcomeDifferences(await this.#outcomeOfTwo(undisturbed), found);
      return [
        ...outcomeDifferences(once, found),
        ...repeatedHooks(left, runsBefore, hookRunsIn(runner.seen(act))),
        ...(await heldLeases(runner, underTest)),
      ];
    });
  }

  #outcomeOfTwo(killable: UndisturbedAct): Promise<ActOutcome> {
    const known = this.#twice.get(killable) ?? runTwice(this.#scenario, killable);
    this.#twice.set(killable, known);
    return known;
  }
}

/** Runs `work` with a scenario runner on a new cluster. */
async function withScenarioRunner<T>(
  scenario: ReleaseScenario,
  work: (runner: ScenarioRunner, underTest: ClusterUnderTest) => Promise<T>,
): Promise<T> {
  const underTest = embeddedUnderTest();
  const runner = await ScenarioRunner.start(scenario, underTest);
  try {
    return await work(runner, underTest);
  } finally {
    runner.close();
    underTest.close();
  }
}

async function runTwice(scenario: ReleaseScenario, { at, act }: KillableAct): Promise<ActOutcome> {
  return withScenarioRunner(scenario, async (runner, underTest) => {
    await runAll(scenario.acts.slice(0, at + 1), runner, underTest);
    const result = await runner.run(act);
    await underTest.catchUp();
    return outcomeOf(act, result, runner, underTest);
  });
}

async function runAll(acts: readonly Act[], runner: ScenarioRunner, underTest: ClusterUnderTest): Promise<void> {
  for (const act of acts) {
    await runner.run(act);
    await underTest.catchUp();
  }
}

function isKillable(act: Act): act is OperationAct {
  return (act.do === "deploy" || act.do === "rollback" || act.do === "delete") && act.differsAfterKill === undefined;
}

function endsWell({ progress }: ActResult): boolean {
  const end = progress.at(-1);
  return end?.type === "done" && end.status !== "failed" && end.status !== "stopped";
}

async function outcomeOf(act: OperationAct, result: ActResult, runner: ScenarioRunner, underTest: ClusterUnderTest): Promise<ActOutcome> {
  return { end: endOf(result), snapshot: await runner.snapshot(), latest: await latestRevision(act, runner, underTest) };
}

function endOf({ progress, refusal }: ActResult): string {
  if (refusal !== undefined) return refusal instanceof Error ? refusal.message : String(refusal);
  const end = progress.at(-1);
  return end?.type === "done" ? [end.status, end.because].filter((text) => text !== undefined).join(": ") : "no end";
}

function latestRevision({ release: name = "app", namespace = "$NS" }: OperationAct, runner: ScenarioRunner, underTest: ClusterUnderTest) {
  const release = { name, namespace: namespace.replaceAll("$NS", runner.namespace) };
  return underTest.until(historyOf(runner.thirdParty.cluster).revisions(release).then(latestOf));
}

/** Whether the records say that the killed operation was complete. */
function isOver(act: OperationAct, left: Revision | undefined, once: ActOutcome): boolean {
  if (act.do === "delete") return left === undefined || left.state === "uninstalled";
  return left?.state === "deployed" && left.revision === once.latest?.revision;
}
