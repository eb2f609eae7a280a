import type { EvaluationResult } from "../../evaluate/index.ts";
import { clusterInfoFor, isSameReport, buildEventReport } from "../../report/index.ts";
import { clusterIdOf } from "../../fleet/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { reconciled, type ReconcileResult } from "../../../reconcile/index.ts";
import type { ControllerContext } from "../context/index.ts";
import type { ClusterEvaluator } from "./cluster-evaluator.ts";
import { writeReport } from "./write-report.ts";
import type { EventSourceStatusWriter } from "./event-source-status-writer.ts";
import type { ReportContent } from "./last-reported.ts";

/** An EventSource that is evaluated from here. */
export type EventSourceTarget = {
  readonly key: string;
  readonly evaluator: ClusterEvaluator;
  readonly eventSource: string;
  /** The report on it in the management cluster, as far as it is known. */
  readonly existing: KubeObject | undefined;
};

/** How soon objects are looked at again that had to wait for slow scripts: others get their turn in between. */
const requeueAfterMs = 20;

/** Looks at what has changed in a cluster and reports it, if it makes a difference. */
export async function reportEvaluation(
  context: ControllerContext,
  statuses: EventSourceStatusWriter,
  sighting: EventSourceTarget,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const { key, evaluator, eventSource, existing } = sighting;
  const found = evaluator.observed(eventSource);
  const observed = found?.observer.evaluate(eventSource);
  if (found === undefined || observed === undefined || existing?.metadata.deletionTimestamp !== undefined) return reconciled;
  const { result, isComplete, evaluated, pending } = observed;
  if (evaluated > 0) count(context, result);
  const now = { matches: result.matches, collectResources: found.source.collectResources };
  // Where not everything could be read, nothing found is not yet a finding.
  const isWorthTelling = isComplete || existing !== undefined || result.matches.length > 0;
  let problem: string | undefined;
  if (isWorthTelling && !evaluator.lastReported.isReported(eventSource, now, existing))
    problem = await writeIfChanged(context, sighting, now, signal);
  statuses.update(key, eventSource, clusterInfoFor(withProblem(result, problem), clusterIdOf(key)));
  return pending === 0 ? reconciled : { settled: false, requeueAfterMs };
}

/** Writes the report if it says something else than the one that is there. Answers why it cannot be written. */
async function writeIfChanged(
  { hub, cache }: ControllerContext,
  { key, evaluator, eventSource, existing }: EventSourceTarget,
  now: ReportContent,
  signal: AbortSignal,
): Promise<string | undefined> {
  const made = buildEventReport({ eventSource, cluster: clusterIdOf(key), ...now });
  if ("problem" in made) return made.problem;
  let current = existing;
  if (!isSameReport(existing, made.report)) {
    current = await writeReport(hub, existing, made.report, signal);
    if (current !== undefined) await cache.waitForWrites([current], signal);
  }
  if (current !== undefined) evaluator.lastReported.record(eventSource, now, current);
  return undefined;
}

function withProblem(findings: EvaluationResult, problem: string | undefined): EvaluationResult {
  return problem === undefined ? findings : { ...findings, failures: [{ reason: problem, effect: "kept" }, ...findings.failures] };
}

function count({ telemetry }: ControllerContext, { failures }: EvaluationResult): void {
  telemetry.count("sluice_evaluations_total");
  if (failures.length > 0) telemetry.count("sluice_evaluation_failures_total");
}
