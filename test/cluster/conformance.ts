import { cases, faultsOf, playCases, readRecording, siteInRealTime, writeRecording, type Case, type Heard } from "../conformance/index.ts";
import type { Ground } from "./ground.ts";

export type Tally = { readonly passed: number; readonly failed: number };
type Log = (line: string) => void;

const atOnce = 6;

/** Plays the suite on a cluster and compares with the recording. */
export async function conform(ground: Ground, only: RegExp, log: Log, signal: AbortSignal): Promise<Tally> {
  const { kubernetes, cases: recorded } = readRecording();
  const chosen = cases.filter(({ id }) => only.test(id));
  const playable = chosen.filter(({ moves = false }) => ground.moves || !moves);
  log(`conformance: ${playable.length} cases on ${ground.name} (${ground.version}), compared with answers of ${kubernetes || "nobody"}`);
  if (playable.length < chosen.length) {
    log(
      `  left out: ${chosen.length - playable.length} cases whose pods must move as the suite says; our kubelet runs on our own cluster only`,
    );
  }
  let failed = 0;
  for await (const outcome of playCases(playable, siteInRealTime(ground.exchange), runName(), { atOnce })) {
    if (signal.aborted) break;
    const faults = faultsOf(outcome, recorded.get(outcome.subject.id));
    if (faults.length === 0) continue;
    failed++;
    tell(log, outcome.subject, faults);
  }
  return { passed: playable.length - failed, failed };
}

/** Records the suite. Every case is played twice: what does not come out the same both times is no fit record. */
export async function record(ground: Ground, log: Log, signal: AbortSignal): Promise<Tally> {
  log(`recording ${cases.length} cases on Kubernetes ${ground.version}, each twice`);
  const first = new Map<string, readonly Heard[]>();
  let failed = 0;
  for (const round of ["a", "b"]) {
    for await (const outcome of playCases(cases, siteInRealTime(ground.exchange), `${runName()}${round}`, { atOnce })) {
      signal.throwIfAborted();
      const { subject } = outcome;
      const faults = round === "a" && "heard" in outcome ? [] : faultsOf(outcome, first.get(subject.id));
      if (round === "a" && "heard" in outcome) first.set(subject.id, outcome.heard);
      if (faults.length === 0) continue;
      failed++;
      tell(log, subject, faults);
    }
  }
  if (failed > 0) {
    log("nothing was recorded");
    return { passed: cases.length - failed, failed };
  }
  writeRecording({ kubernetes: ground.version, cases: first });
  log(`recorded ${first.size} cases`);
  return { passed: first.size, failed };
}

function tell(log: Log, subject: Case, faults: readonly string[]): void {
  log(`  FAILED ${subject.id}: ${subject.title}`);
  for (const line of faults) log(`    ${line}`);
}

/** Tells the names of one run from those of another on the same cluster. */
function runName(): string {
  return process.pid.toString(36);
}
