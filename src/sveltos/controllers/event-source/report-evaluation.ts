import type { EvaluationResult } from "../../evaluate/index.ts";
import { clusterInfoFor, withLeftOut } from "../../report/index.ts";
import { clusterIdOf } from "../../fleet/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { reconciled, type ReconcileResult } from "../../../reconcile/index.ts";
import type { ControllerContext } from "../context/index.ts";
import type { ClusterEvaluator } from "./cluster-evaluator.ts";
import type { ReportWriter } from "./report-writer.ts";
import type { EventSourceStatusWriter } from "./event-source-status-writer.ts";

/** An EventSource in a cluster, which is named by the fleet's key. */
export type EventSourceTarget = {
  readonly key: string;
  readonly evaluator: ClusterEvaluator;
  readonly eventSource: string;
  /** The report on it in the management cluster, as the cache has it. */
  readonly existing: KubeObject | undefined;
  /** The report and all its parts. */
  readonly reports: readonly KubeObject[];
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
  const { key, evaluator, eventSource, existing, reports } = target;
  const found = evaluator.observed(eventSource);
  const observed = found?.observer.evaluate(eventSource);
  if (found === undefined || observed === undefined || existing?.metadata.deletionTimestamp !== undefined) return reconciled;
  const { result, isComplete, evaluated, pending } = observed;
  if (evaluated > 0) count(context, result);
  const content = { matches: result.matches, collectResources: found.source.collectResources };
  // An incomplete evaluation without matches must not create an empty report.
  const isReportable = isComplete || existing !== undefined || result.matches.length > 0;
  if (isReportable) await writerFor(context, target).write(content, reports, signal);
  statuses.update(key, eventSource, clusterInfoFor(withLeftOut(result, content), clusterIdOf(key)));
  return pending === 0 ? reconciled : { settled: false, requeueAfterMs };
}

function writerFor({ hub, cache }: ControllerContext, { key, evaluator, eventSource }: EventSourceTarget): ReportWriter {
  return evaluator.writerFor(eventSource, () => ({
    cluster: hub,
    subject: { eventSource, cluster: clusterIdOf(key) },
    afterWrite: async (written, signal) => {
      await cache.waitForWrites([written], signal);
      return written;
    },
  }));
}

function count({ telemetry }: ControllerContext, { failures }: EvaluationResult): void {
  telemetry.count("sluice_evaluations_total");
  if (failures.length > 0) telemetry.count("sluice_evaluation_failures_total");
}
