import { readRoleRequest } from "../../api/index.ts";
import { roleRequestLabel } from "../../tenant/index.ts";
import { equal } from "../../../core/object/index.ts";
import type { ObjectChange } from "../../../kube/index.ts";
import { runControlLoop, WorkQueue, type Source } from "../../../reconcile/index.ts";
import { configMapKind, roleRequestKind, secretKind, type ControllerContext } from "../context/index.ts";
import { reconcileRoleRequest } from "./reconcile-role-request.ts";
import { refersTo } from "./role-sources.ts";
import { roleRequestIdentity, type RoleRequestKey } from "./role-request-key.ts";
import { grantedClusters } from "./role-request-status.ts";
import { WrittenGrants } from "./written-grants.ts";

/** Reconciles RoleRequests in the clusters that this replica owns, until the signal aborts. */
export async function runRoleRequestController(context: ControllerContext, signal: AbortSignal): Promise<void> {
  const { clock, random, onRecovery } = context.hub;
  const report = context.telemetry.failureReporter("roleRequests");
  // One RoleRequest of a cluster after the other: they share ServiceAccounts and kubeconfigs.
  const lanes = { workers: 1000, perLane: 1, laneOf: ({ cluster }: RoleRequestKey) => cluster };
  const queue = new WorkQueue<RoleRequestKey>({ clock, random, onRecovery, identity: roleRequestIdentity, ...lanes, report });
  context.telemetry.watchQueue("roleRequests", queue);
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const written = new WrittenGrants((key, afterMs) => (afterMs === 0 ? queue.add(key) : queue.addAfter(key, afterMs)), either);
  try {
    await context.cache.waitForSync([roleRequestKind, configMapKind, secretKind]);
    const synced = Promise.withResolvers<void>();
    const following = enqueueFleetEvents(context, queue, synced.resolve, either).finally(synced.resolve);
    following.catch((error: unknown) => stop.abort(error));
    // A cluster that is not known yet must not be taken for one that is gone.
    await synced.promise;
    await runControlLoop(sourcesOf(context), queue, (key, each) => reconcileRoleRequest(key, written, context, each), either);
    await following;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    stop.abort(new Error("the RoleRequest controller has ended"));
  }
}

/** Whether a request concerns a cluster depends on the cluster's labels, so each change of a cluster requeues all of them. */
async function enqueueFleetEvents(
  { fleet, cache }: ControllerContext,
  queue: WorkQueue<RoleRequestKey>,
  synced: () => void,
  signal: AbortSignal,
): Promise<void> {
  for await (const event of fleet.events(signal)) {
    if (event.type === "synced") synced();
    else if (event.type !== "lost")
      for (const { metadata } of cache.all(roleRequestKind)) queue.add({ request: metadata.name, cluster: event.cluster.key });
  }
}

function sourcesOf(context: ControllerContext): readonly Source<RoleRequestKey>[] {
  const { cache, fleet } = context;
  const everywhere = (object: ObjectChange["object"]): readonly RoleRequestKey[] => {
    const clusters = new Set([...fleet.clusters().map(({ key }) => key), ...grantedClusters(object)]);
    return [...clusters].map((cluster) => ({ request: object.metadata.name, cluster }));
  };
  const requests = {
    events: cache.informerFor(roleRequestKind),
    keysOf: (change: ObjectChange) => (isRelevant(change) ? everywhere(change.object) : []),
  };
  const contents = [configMapKind, secretKind].map((kind) => ({
    events: cache.informerFor(kind),
    keysOf: ({ type, object: content }: ObjectChange) =>
      [...cache.all(roleRequestKind)].flatMap((object) => {
        const reading = readRoleRequest(object);
        const isLostKubeconfig = type === "deleted" && content.metadata.labels?.[roleRequestLabel] !== undefined;
        return isLostKubeconfig || (reading.state === "read" && refersTo(reading.value, content)) ? everywhere(object) : [];
      }),
  }));
  return [requests, ...contents];
}

/** Statuses are written here, so a change of one is no news. */
function isRelevant(change: ObjectChange): boolean {
  if (change.type !== "modified") return true;
  const { generation, deletionTimestamp, labels } = change.object.metadata;
  const before = change.previous.metadata;
  return generation !== before.generation || deletionTimestamp !== before.deletionTimestamp || !equal(labels, before.labels);
}
