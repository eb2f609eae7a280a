import { buildEventReport, findParts, isSameReport, managementCopy } from "../../report/index.ts";
import { clusterReference, deployedBySveltosAnnotation, type EvaluationFailure } from "../../api/index.ts";
import { clusterIdOf } from "../../fleet/index.ts";
import { listAt, numberAt, stringAt, stringsAt, type KubeObject } from "../../../core/object/index.ts";
import { reconciled, type ReconcileResult } from "../../../reconcile/index.ts";
import type { ControllerContext } from "../context/index.ts";
import type { EventSourceTarget } from "./report-evaluation.ts";
import type { ReportCollector } from "./report-collector.ts";
import { deleteReports, lastMatches, patchStatus, writeReport } from "./write-report.ts";
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

/** Copies the parts of a report, then the report, and then deletes the parts that it no longer names. */
async function copyToManagementCluster(
  context: ControllerContext,
  target: EventSourceTarget & { readonly collector: ReportCollector },
  managed: KubeObject,
  signal: AbortSignal,
): Promise<void> {
  const { key, eventSource, existing, reports, collector } = target;
  if (existing?.metadata.deletionTimestamp !== undefined) return;
  const { parts, missing } = findParts(managed, (name) => collector.findReport(name));
  // The part that is missing here arrives later, and requeues the key.
  if (missing !== undefined) return;
  const copies = new Map<string, readonly [wanted: KubeObject, part: KubeObject]>();
  for (const [number, part] of parts) {
    const wanted = managementCopy(part, eventSource, clusterIdOf(key), number);
    copies.set(wanted.metadata.name, [wanted, part]);
  }
  const [first, ...others] = copies.values();
  const copied = await Promise.all(others.map((copy) => copyPart(context, target, copy, signal)));
  if (!copied.every(Boolean) || !(await copyPart(context, target, first!, signal))) return;
  const stale = reports.filter(({ metadata }) => !copies.has(metadata.name));
  await deleteReports(context.hub, stale, signal);
}

/** False on a conflict. */
async function copyPart(
  { hub, cache }: ControllerContext,
  { evaluator, reports }: EventSourceTarget,
  [wanted, part]: readonly [KubeObject, KubeObject],
  signal: AbortSignal,
): Promise<boolean> {
  const existing = reports.find(({ metadata }) => metadata.name === wanted.metadata.name);
  const { cluster } = evaluator.connection;
  let seen: KubeObject | undefined = part;
  if (!isSameReport(existing, wanted)) {
    const [written, delivering] = await Promise.all([
      writeReport(hub, existing, wanted, signal),
      phaseOf(part) === "Delivering" ? part : patchStatus(cluster, part, { phase: "Delivering" }, signal),
    ]);
    if (written === undefined) return false;
    await cache.waitForWrites([written], signal);
    seen = delivering;
  }
  // A report that has changed meanwhile keeps its phase, and its change requeues the key.
  if (seen !== undefined && phaseOf(seen) !== "Processed") await patchStatus(cluster, seen, { phase: "Processed" }, signal);
  return true;
}

/** The report that an agent begins with, so that it knows what matched before: its parts, the first one last. */
export function seedReportOf(
  existing: KubeObject,
  eventSource: string,
  find: (name: string) => KubeObject | undefined,
): readonly KubeObject[] {
  const matches = lastMatches(existing, find);
  return buildEventReport({ eventSource, matches, collectResources: matches.some(({ object }) => object !== undefined) });
}

/** The agent's status of the EventSource. */
function infoOf(copy: KubeObject, key: string): ClusterInfo | undefined {
  const [own] = listAt(copy, "status.clusterInfo");
  const objection = stringAt(copy, "status.failureMessage");
  if (own === undefined && objection === undefined) return undefined;
  const objections = objection === undefined ? [] : [{ message: objection }];
  const notServed = stringsAt(own, "notServed");
  const failures = [...objections, ...(listAt(own, "failures") as readonly EvaluationFailure[])];
  return {
    cluster: clusterReference(clusterIdOf(key)),
    matchingResources: numberAt(own, "matchingResources", 0),
    ...(failures.length > 0 && { failures }),
    ...(notServed.length > 0 && { notServed }),
  };
}

function phaseOf(report: KubeObject): string | undefined {
  return stringAt(report, "status.phase");
}
