import { gvkOf } from "../../api/index.ts";
import { tenantLabelsOf } from "../../tenant/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import type { ObjectChange } from "../../../kube/index.ts";
import { runControlLoop, WorkQueue, type Source } from "../../../reconcile/index.ts";
import { configMapKind, roleRequestKind, secretKind, type ControllerContext } from "../context/index.ts";
import { contendersAfter } from "./contested-objects.ts";
import { isRelevantChange } from "./is-relevant-change.ts";
import { configurationKind, ClusterConfigurationWriter } from "./cluster-configuration-writer.ts";
import { reconcileSummary } from "./reconcile-summary.ts";
import { summariesPerCluster, summaryIdentity, summaryKeyOf, type SummaryKey } from "./summary-key.ts";
import { DriftRepairer } from "./drift-repairer.ts";
import type { SummaryControllerState } from "./summary-controller-state.ts";
import { OwnershipAudit } from "./ownership-audit.ts";
import { ReferenceTracker } from "./reference-tracker.ts";
import { clusterReportKind } from "./write-cluster-report.ts";
import { SummaryIndex, summaryKind } from "./summary-index.ts";
import { SummarySyncState } from "./summary-sync-state.ts";
import { ClusterWatches } from "./cluster-watches.ts";

/**
 * Reconciles the ClusterSummaries of the clusters that this replica owns, until the signal aborts. Resolves when the last
 * reconcile has ended.
 */
export async function runSummaryController(context: ControllerContext, signal: AbortSignal): Promise<void> {
  const { clock, random, onRecovery } = context.hub;
  const report = context.telemetry.failureReporter("summaries");
  const summaryIndex = new SummaryIndex(context.cache);
  // As many workers as all lanes may use: a cluster that hangs must not take workers from one that answers.
  // So must a tenant, whose templates may take their time, not take them from another one.
  const laneOf = (key: SummaryKey) => `${key.cluster} ${JSON.stringify(tenantLabelsOf(summaryIndex.find(key)?.metadata.labels))}`;
  const lanes = { workers: 10_000, perLane: summariesPerCluster, laneOf };
  const queue = new WorkQueue<SummaryKey>({ clock, random, onRecovery, identity: summaryIdentity, ...lanes, report });
  context.telemetry.watchQueue("summaries", queue);
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const syncState = new SummarySyncState();
  const enqueue = (key: SummaryKey) => {
    syncState.invalidate(key);
    queue.add(key);
  };
  const watchFailed = (error: unknown) => report({ key: "", error, failures: 1, requeueAfterMs: undefined });
  const references = new ReferenceTracker(context, enqueue, watchFailed, either);
  const watches = new ClusterWatches(
    (key, changed) => {
      driftRepairer.markChanged(key, changed);
      queue.add(key);
    },
    watchFailed,
    either,
  );
  const driftRepairer = new DriftRepairer(watches);
  const state: SummaryControllerState = {
    context,
    queue,
    summaryIndex,
    references,
    syncState,
    driftRepairer,
    configurations: new ClusterConfigurationWriter(context),
    ownershipAudit: new OwnershipAudit(),
  };
  try {
    await context.cache.waitForSync([summaryKind, configMapKind, secretKind, configurationKind, clusterReportKind, ...authorKinds]);
    const following = enqueueFleetEvents(context, summaryIndex, enqueue, either);
    following.catch((error: unknown) => stop.abort(error));
    await runControlLoop(
      sourcesOf(context, summaryIndex, references, syncState),
      queue,
      (key, each) => reconcileSummary(key, state, each),
      either,
    );
    await following;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    stop.abort(new Error("the ClusterSummary controller has ended"));
    await Promise.all([references.drained(), watches.drained(), state.configurations.drained()]);
  }
}

/** What says on whose word a ClusterSummary is. */
const authorKinds = [roleRequestKind, ...(["ClusterProfile", "Profile", "ClusterSet", "Set"] as const).map(gvkOf)];

/** Requeues the ClusterSummaries of a cluster that becomes ready, changes or goes. */
async function enqueueFleetEvents(
  { fleet }: ControllerContext,
  summaryIndex: SummaryIndex,
  enqueue: (key: SummaryKey) => void,
  signal: AbortSignal,
): Promise<void> {
  for await (const event of fleet.events(signal)) {
    if (event.type !== "ready" && event.type !== "changed" && event.type !== "gone") continue;
    for (const summary of summaryIndex.inCluster(event.cluster.key)) enqueue(summaryKeyOf(summary));
  }
}

function sourcesOf(
  { cache }: ControllerContext,
  summaryIndex: SummaryIndex,
  references: ReferenceTracker,
  syncState: SummarySyncState,
): readonly Source<SummaryKey>[] {
  const invalidated = (keys: Iterable<SummaryKey>): readonly SummaryKey[] => {
    const all = [...keys];
    for (const key of all) syncState.invalidate(key);
    return all;
  };
  const contents = [configMapKind, secretKind].map((kind) => ({
    events: cache.informerFor(kind),
    keysOf: (change: ObjectChange) => invalidated(references.readersOf(change)),
  }));
  const summaries = {
    events: cache.informerFor(summaryKind),
    keysOf: (change: ObjectChange) =>
      isRelevantChange(change)
        ? [...invalidated([summaryKeyOf(change.object)]), ...blockedBy(change, summaryIndex), ...contendersAfter(change, summaryIndex)]
        : contendersAfter(change, summaryIndex),
  };
  // Grants begin and end with the status of a RoleRequest.
  const requests = {
    events: cache.informerFor(roleRequestKind),
    keysOf: () => invalidated([...cache.all(summaryKind)].filter(isOfTenant).map(summaryKeyOf)),
  };
  return [summaries, ...contents, requests];
}

function isOfTenant({ metadata }: KubeObject): boolean {
  return Object.keys(tenantLabelsOf(metadata.labels)).length > 0;
}

/** The ClusterSummaries that could not be withdrawn because of this one, and those that could not be deployed. */
function blockedBy(change: ObjectChange, summaryIndex: SummaryIndex): readonly SummaryKey[] {
  const { object } = change;
  const before = change.type === "modified" ? change.previous : object;
  const deleting = summaryIndex
    .dependenciesOf(before)
    .flatMap(([, found]) => (found?.metadata.deletionTimestamp === undefined ? [] : [found]));
  return [...deleting, ...summaryIndex.dependentsOf(object)].map(summaryKeyOf);
}
