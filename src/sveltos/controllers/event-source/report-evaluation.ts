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

/** An EventSource in a cluster, which is named by the fleet's key. */
export type EventSourceTarget = {
  readonly key: string;
  readonly evaluator: ClusterEvaluator;
  readonly eventSource: string;
  /** The report on it in the management cluster, as the cache has it. */
  readonly existing: KubeObject | undefined;
};

/** When to evaluate the objects that slow scripts have left over. Other keys run in between. */
const requeueAfterMs = 20;

/** Evaluates an EventSource and writes its report when the result has changed. */
export async function reportEvaluation(
  context: ControllerContext,
  statuses: EventSourceStatusWriter,
  target: EventSourceTarget,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const { key, evaluator, eventSource, existing } = target;
  const found = evaluator.observed(eventSource);
  const observed = found?.observer.evaluate(eventSource);
  if (found === undefined || observed === undefined || existing?.metadata.deletionTimestamp !== undefined) return reconciled;
  const { result, isComplete, evaluated, pending } = observed;
  if (evaluated > 0) count(context, result);
  const content = { matches: result.matches, collectResources: found.source.collectResources };
  // An incomplete evaluation without matches must not create an empty report.
  const isReportable = isComplete || existing !== undefined || result.matches.length > 0;
  let problem: string | undefined;
  if (isReportable && !evaluator.lastReported.isReported(eventSource, content, existing))
    problem = await writeIfChanged(context, target, content, signal);
  statuses.update(key, eventSource, clusterInfoFor(withProblem(result, problem), clusterIdOf(key)));
  return pending === 0 ? reconciled : { settled: false, requeueAfterMs };
}

/** Writes the report when it differs from the existing one. Gives the reason when it cannot be written. */
async function writeIfChanged(
  { hub, cache }: ControllerContext,
  { key, evaluator, eventSource, existing }: EventSourceTarget,
  content: ReportContent,
  signal: AbortSignal,
): Promise<string | undefined> {
  const made = buildEventReport({ eventSource, cluster: clusterIdOf(key), ...content });
  if ("problem" in made) return made.problem;
  let current = existing;
  if (!isSameReport(existing, made.report)) {
    current = await writeReport(hub, existing, made.report, signal);
    if (current !== undefined) await cache.waitForWrites([current], signal);
  }
  if (current !== undefined) evaluator.lastReported.record(eventSource, content, current);
  return undefined;
}

function withProblem(result: EvaluationResult, problem: string | undefined): EvaluationResult {
  return problem === undefined ? result : { ...result, failures: [{ reason: problem, effect: "kept" }, ...result.failures] };
}

function count({ telemetry }: ControllerContext, { failures }: EvaluationResult): void {
  telemetry.count("sluice_evaluations_total");
  if (failures.length > 0) telemetry.count("sluice_evaluation_failures_total");
}
