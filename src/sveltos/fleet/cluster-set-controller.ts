import { clusterReference, gvkOf, failureMessageOf, readClusterSet, type ClusterId } from "../api/index.ts";
import { Informer, isConflict, isNotFound, type Cluster, type ObjectChange } from "../../kube/index.ts";
import { equal, fieldsAt, listAt, refOf, stringAt, type KubeObject } from "../../core/object/index.ts";
import { runControlLoop, reconciled, WorkQueue, type ReconcileResult, type ReportFailure } from "../../reconcile/index.ts";
import type { Fleet } from "./fleet.ts";
import { selectClusters, referencedCluster } from "./matching-clusters.ts";

/**
 * Reconciles the status of every ClusterSet and Set, which lists the matching and the selected clusters, until the signal
 * aborts. Only the leader may run it.
 */
export async function runClusterSetController(
  hub: Cluster,
  fleet: Fleet,
  signal: AbortSignal,
  report: ReportFailure = () => {},
): Promise<void> {
  const informers = (["ClusterSet", "Set"] as const).map((kind) => new Informer(hub, gvkOf(kind), { signal }));
  const queue = new WorkQueue({ clock: hub.clock, random: hub.random, onRecovery: hub.onRecovery, report });
  const all = () => informers.flatMap(({ lister }) => [...lister.all()]);
  const reconcile = async (key: string, each: AbortSignal): Promise<ReconcileResult> => {
    const object = all().find((set) => keyOf(set) === key);
    if (object !== undefined) await reconcileSet(hub, object, fleet, each);
    return reconciled;
  };
  const requeueAll = (async () => {
    // Which clusters match depends on all of them. Requeuing every set is cheap: selecting takes no request.
    for await (const _ of fleet.events(signal)) for (const set of all()) queue.add(keyOf(set));
  })();
  const sources = informers.map((events) => ({ events, keysOf: ({ object }: ObjectChange) => [keyOf(object)] }));
  await runControlLoop(sources, queue, reconcile, signal);
  await requeueAll;
}

/** The clusters that the status of a ClusterSet or Set lists as selected. */
export function selectedClustersOf(set: KubeObject | undefined): readonly ClusterId[] {
  return listAt(set, "status.selectedClusterRefs").flatMap((ref) => {
    const text = (field: string) => stringAt(ref, field, "");
    return referencedCluster({ kind: text("kind"), namespace: text("namespace"), name: text("name") }) ?? [];
  });
}

function keyOf({ kind, metadata: { namespace = "", name } }: KubeObject): string {
  return `${kind}/${namespace}/${name}`;
}

async function reconcileSet(hub: Cluster, object: KubeObject, fleet: Fleet, signal: AbortSignal): Promise<void> {
  const status = statusOf(object, fleet);
  if (equal(status, { failureMessage: null, matchingClusterRefs: [], selectedClusterRefs: [], ...fieldsAt(object, "status") })) return;
  const { resourceVersion } = object.metadata;
  try {
    await hub.patch(refOf(object), { type: "merge", patch: { metadata: { resourceVersion }, status } }, { subresource: "status", signal });
  } catch (error) {
    // The set has changed or is gone; the informer requeues it.
    if (!isConflict(error) && !isNotFound(error)) throw error;
  }
}

/** An invalid set keeps its last selection, so that a typing error withdraws nothing. */
function statusOf(object: KubeObject, fleet: Fleet) {
  const reading = readClusterSet(object);
  const before = fieldsAt(object, "status");
  const { matchingClusterRefs = [], selectedClusterRefs = [] } = before;
  const failureMessage = failureMessageOf(reading) ?? null;
  if (reading.state === "invalid" || failureMessage !== null) return { failureMessage, matchingClusterRefs, selectedClusterRefs };
  const { matching, selected } = selectClusters(reading.value, fleet.managedClusters(), selectedClustersOf(object));
  return { failureMessage, matchingClusterRefs: matching.map(clusterReference), selectedClusterRefs: selected.map(clusterReference) };
}
