import type { ObjectChange } from "../../../kube/index.ts";
import { runControlLoop, WorkQueue, type Source } from "../../../reconcile/index.ts";
import type { ControllerContext } from "../context/index.ts";
import { isRelevantChange } from "./is-relevant-change.ts";
import { configurationKind, ClusterConfigurationWriter } from "./cluster-configuration-writer.ts";
import { reconcileSummary } from "./reconcile-summary.ts";
import { clusterOfSummaryKey, summaryKey } from "./summary-key.ts";
import { DriftRepairer } from "./drift-repairer.ts";
import type { SummaryControllerState } from "./summary-controller-state.ts";
import { configMapKind, ReferenceTracker, secretKind } from "./reference-tracker.ts";
import { clusterReportKind } from "./write-cluster-report.ts";
import { SummaryIndex, summaryKind } from "./summary-index.ts";
import { SummarySyncState } from "./summary-sync-state.ts";
import { ClusterWatches } from "./cluster-watches.ts";

/** Keeps every ClusterSummary of the clusters that this replica attends to, until the signal aborts and the last work has ended. */
export async function runSummaryController(context: ControllerContext, signal: AbortSignal): Promise<void> {
  const { clock, random } = context.hub;
  const report = context.telemetry.failureReporter("summaries");
  // As many as all lanes may have: clusters that hang must not take the places of those that answer.
  const queue = new WorkQueue({ clock, random, workers: 10_000, perLane: 32, laneOf: clusterOfSummaryKey, report });
  context.telemetry.watchQueue("summaries", queue);
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const syncState = new SummarySyncState();
  const want = (key: string) => {
    syncState.invalidate(key);
    queue.add(key);
  };
  const refused = (error: unknown) => report({ key: "", error, failures: 1, requeueAfterMs: undefined });
  const references = new ReferenceTracker(context, want, refused, either);
  const watches = new ClusterWatches(
    (key, object) => {
      driftRepairer.markChanged(key, object);
      queue.add(key);
    },
    refused,
    either,
  );
  const driftRepairer = new DriftRepairer(watches);
  const summaryIndex = new SummaryIndex(context.cache);
  const state: SummaryControllerState = {
    context,
    queue,
    summaryIndex,
    references,
    syncState,
    driftRepairer,
    configurations: new ClusterConfigurationWriter(context),
  };
  try {
    await context.cache.waitForSync([summaryKind, configMapKind, secretKind, configurationKind, clusterReportKind]);
    const following = followFleet(context, summaryIndex, want, either);
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
    stop.abort(new Error("the keeping of ClusterSummaries has ended"));
    await Promise.all([references.drained(), watches.drained(), state.configurations.drained()]);
  }
}

/** Clusters that are there again, or are described otherwise, are reason to look at all that is for them. */
async function followFleet(
  { fleet }: ControllerContext,
  summaryIndex: SummaryIndex,
  want: (key: string) => void,
  signal: AbortSignal,
): Promise<void> {
  for await (const event of fleet.events(signal)) {
    if (event.type !== "ready" && event.type !== "changed" && event.type !== "gone") continue;
    for (const summary of summaryIndex.inCluster(event.cluster.key)) want(summaryKey(summary));
  }
}

function sourcesOf(
  { cache }: ControllerContext,
  summaryIndex: SummaryIndex,
  references: ReferenceTracker,
  syncState: SummarySyncState,
): readonly Source[] {
  const doubted = (keys: Iterable<string>): readonly string[] => {
    const all = [...keys];
    for (const key of all) syncState.invalidate(key);
    return all;
  };
  const contents = [configMapKind, secretKind].map((kind) => ({
    events: cache.informerFor(kind),
    keysOf: (change: ObjectChange) => doubted(references.readersOf(change)),
  }));
  const summaries = {
    events: cache.informerFor(summaryKind),
    keysOf: (change: ObjectChange) =>
      isRelevantChange(change) ? [...doubted([summaryKey(change.object)]), ...waitingFor(change, summaryIndex)] : [],
  };
  return [summaries, ...contents];
}

/** Those that could not go because of this one, and those that could not come. */
function waitingFor(change: ObjectChange, summaryIndex: SummaryIndex): readonly string[] {
  const { object } = change;
  const before = change.type === "modified" ? change.previous : object;
  const leaving = summaryIndex
    .dependenciesOf(before)
    .flatMap(([, found]) => (found?.metadata.deletionTimestamp === undefined ? [] : [found]));
  return [...leaving, ...summaryIndex.dependentsOf(object)].map(summaryKey);
}
