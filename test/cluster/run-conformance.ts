import {
  cases,
  caseFailures,
  runCases,
  serveScriptedWebhook,
  readRecording,
  realTimeTarget,
  writeRecording,
  type ConformanceCase,
  type StepAnswer,
} from "../conformance/index.ts";
import type { RealCluster } from "./real-cluster.ts";

export type TestTally = { readonly passed: number; readonly failed: number };
type Log = (line: string) => void;

const atOnce = 6;

/** Runs the suite on a cluster and compares with the recording. */
export async function runConformance(underTest: RealCluster, only: RegExp, log: Log, signal: AbortSignal): Promise<TestTally> {
  const { kubernetes, cases: recorded } = readRecording();
  const chosen = cases.filter(({ id }) => only.test(id));
  const runnable = chosen.filter(({ needsKubelet = false }) => underTest.hasKubelet || !needsKubelet);
  log(
    `conformance: ${runnable.length} cases on ${underTest.name} (${underTest.version}), compared with answers of ${kubernetes || "no recording"}`,
  );
  if (runnable.length < chosen.length) {
    log(
      `  left out: ${chosen.length - runnable.length} cases whose pods must move as the suite says; our kubelet runs on our own cluster only`,
    );
  }
  let failed = 0;
  const webhook = await serveScriptedWebhook();
  for await (const outcome of runCases(runnable, realTimeTarget(underTest.exchange, webhook), runName(), { atOnce })) {
    if (signal.aborted) break;
    const faults = caseFailures(outcome, recorded.get(outcome.subject.id));
    if (faults.length === 0) continue;
    failed++;
    logFailure(log, outcome.subject, faults);
  }
  await webhook.close();
  return { passed: runnable.length - failed, failed };
}

/** Records the chosen cases of the suite, and keeps the others. Runs each twice, and refuses answers that differ between the two. */
export async function recordConformance(underTest: RealCluster, only: RegExp, log: Log, signal: AbortSignal): Promise<TestTally> {
  const chosen = cases.filter(({ id }) => only.test(id));
  log(`recording ${chosen.length} cases on Kubernetes ${underTest.version}, each twice`);
  const first = new Map<string, readonly StepAnswer[]>();
  let failed = 0;
  const webhook = await serveScriptedWebhook();
  for (const round of ["a", "b"]) {
    for await (const outcome of runCases(chosen, realTimeTarget(underTest.exchange, webhook), `${runName()}${round}`, { atOnce })) {
      signal.throwIfAborted();
      const { subject } = outcome;
      const faults = round === "a" && "heard" in outcome ? [] : caseFailures(outcome, first.get(subject.id));
      if (round === "a" && "heard" in outcome) first.set(subject.id, outcome.heard);
      if (faults.length === 0) continue;
      failed++;
      logFailure(log, subject, faults);
    }
  }
  await webhook.close();
  if (failed > 0) {
    log("nothing was recorded");
    return { passed: chosen.length - failed, failed };
  }
  const kept = [...readRecording().cases].filter(([id]) => cases.some((subject) => subject.id === id));
  writeRecording({ kubernetes: underTest.version, cases: new Map([...kept, ...first]) });
  log(`recorded ${first.size} cases`);
  return { passed: first.size, failed };
}

function logFailure(log: Log, subject: ConformanceCase, faults: readonly string[]): void {
  log(`  FAILED ${subject.id}: ${subject.title}`);
  for (const line of faults) log(`    ${line}`);
}

/** Makes the names of this run unique on the cluster. */
function runName(): string {
  return process.pid.toString(36);
}
