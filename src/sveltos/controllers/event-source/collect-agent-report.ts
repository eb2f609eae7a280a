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
const silentAgentMessage = "the agent of the cluster no longer renews its Lease projectsveltos/sluice-agent: what it reported last holds";

/**
 * Carries what an agent reported to the management cluster, and tells the agent how far it has got. A report that is not
 * there, or on its way out, says nothing: only triggers and EventSources decide what goes.
 */
export async function collectAgentReport(
  context: ControllerContext,
  statuses: EventSourceStatusWriter,
  target: EventSourceTarget & { readonly collector: ReportCollector },
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const { key, eventSource, collector, evaluator } = target;
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
  const info = infoOf(copy, key, evaluator.agent.state === "silent");
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
  const { cluster } = evaluator.link;
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
  // Where it has changed meanwhile, that is news, and it is carried again.
  if (seen !== undefined && phaseOf(seen) !== "Processed") await patchStatus(cluster, seen, { phase: "Processed" }, signal);
}

/** A report for an agent to begin with, so that it knows what matched before it was there. */
export function seedReportOf(existing: KubeObject, eventSource: string): KubeObject | undefined {
  const matches = lastMatches(existing);
  const collectResources = matches.some(({ object }) => object !== undefined);
  const made = buildEventReport({ eventSource, matches, collectResources });
  return "report" in made ? made.report : undefined;
}

/** What an agent says in the status of its EventSource, and what is to be said of the agent. */
function infoOf(copy: KubeObject, key: string, isSilent: boolean): ClusterInfo | undefined {
  const [own] = listAt(copy, "status.clusterInfo");
  const refusal = stringAt(copy, "status.failureMessage");
  if (own === undefined && refusal === undefined && !isSilent) return undefined;
  const said = [...(isSilent ? [{ message: silentAgentMessage }] : []), ...(refusal === undefined ? [] : [{ message: refusal }])];
  const failures = [...said, ...(listAt(own, "failures") as readonly EvaluationFailure[])];
  return {
    cluster: clusterReference(clusterIdOf(key)),
    matchingResources: numberAt(own, "matchingResources", 0),
    ...(failures.length > 0 && { failures }),
  };
}

function phaseOf(report: KubeObject): string | undefined {
  return stringAt(report, "status.phase");
}
