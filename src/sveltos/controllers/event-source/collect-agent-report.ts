import { isSameReport, managementCopy, buildEventReport } from "../../report/index.ts";
import { clusterReference, deployedBySveltosAnnotation, type EvaluationFailure } from "../../api/index.ts";
import { clusterIdOf } from "../../fleet/index.ts";
import { listAt, numberAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { reconciled, type ReconcileResult } from "../../../reconcile/index.ts";
import type { ControllerContext } from "../context/index.ts";
import type { EventSourceTarget } from "./report-evaluation.ts";
import type { ReportCollector } from "./report-collector.ts";
import { lastMatches, patchStatus, writeReport } from "./write-report.ts";
import type { ClusterInfo, EventSourceStatusWriter } from "./event-source-status-writer.ts";

const foreignSourceMessage =
  "the cluster has an EventSource of this name that is no copy made by a controller: its agent does not evaluate it, and nothing is reported";

/**
 * Copies an agent's report to the management cluster and writes its phase for the agent. A missing or deleted report
 * changes nothing: only triggers and EventSources decide what is deleted.
 */
export async function collectAgentReport(
  context: ControllerContext,
  statuses: EventSourceStatusWriter,
  target: EventSourceTarget & { readonly collector: ReportCollector },
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const { key, eventSource, collector } = target;
  const copy = collector.isReady ? collector.source(eventSource) : undefined;
  if (copy === undefined) return reconciled;
  if (copy.metadata.annotations?.[deployedBySveltosAnnotation] === undefined) {
    statuses.update(key, eventSource, {
      cluster: clusterReference(clusterIdOf(key)),
      matchingResources: 0,
      failures: [{ message: foreignSourceMessage }],
    });
    return reconciled;
  }
  const managed = collector.report(eventSource);
  if (managed !== undefined && managed.metadata.deletionTimestamp === undefined)
    await copyToManagementCluster(context, target, managed, signal);
  const info = infoOf(copy, key);
  if (info !== undefined) statuses.update(key, eventSource, info);
  return reconciled;
}

async function copyToManagementCluster(
  { hub, cache }: ControllerContext,
  { key, eventSource, evaluator, existing }: EventSourceTarget,
  managed: KubeObject,
  signal: AbortSignal,
): Promise<void> {
  const wanted = managementCopy(managed, eventSource, clusterIdOf(key));
  const { cluster } = evaluator.connection;
  let seen: KubeObject | undefined = managed;
  if (existing?.metadata.deletionTimestamp !== undefined) return;
  if (!isSameReport(existing, wanted)) {
    const [written, delivering] = await Promise.all([
      writeReport(hub, existing, wanted, signal),
      phaseOf(managed) === "Delivering" ? managed : patchStatus(cluster, managed, { phase: "Delivering" }, signal),
    ]);
    if (written === undefined) return;
    await cache.waitForWrites([written], signal);
    seen = delivering;
  }
  // A report that has changed meanwhile keeps its phase, and its change requeues the key.
  if (seen !== undefined && phaseOf(seen) !== "Processed") await patchStatus(cluster, seen, { phase: "Processed" }, signal);
}

/** The report that an agent begins with, so that it knows what matched before. */
export function seedReportOf(existing: KubeObject, eventSource: string): KubeObject | undefined {
  const matches = lastMatches(existing);
  const collectResources = matches.some(({ object }) => object !== undefined);
  const made = buildEventReport({ eventSource, matches, collectResources });
  return "report" in made ? made.report : undefined;
}

/** The agent's status of the EventSource. */
function infoOf(copy: KubeObject, key: string): ClusterInfo | undefined {
  const [own] = listAt(copy, "status.clusterInfo");
  const objection = stringAt(copy, "status.failureMessage");
  if (own === undefined && objection === undefined) return undefined;
  const objections = objection === undefined ? [] : [{ message: objection }];
  const failures = [...objections, ...(listAt(own, "failures") as readonly EvaluationFailure[])];
  return {
    cluster: clusterReference(clusterIdOf(key)),
    matchingResources: numberAt(own, "matchingResources", 0),
    ...(failures.length > 0 && { failures }),
  };
}

function phaseOf(report: KubeObject): string | undefined {
  return stringAt(report, "status.phase");
}
