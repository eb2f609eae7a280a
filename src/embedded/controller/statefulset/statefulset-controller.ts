import { equal, fieldsAt, type KubeObject } from "../../../core/object/index.ts";
import { isStatusError, type StatusError } from "../../status-error.ts";
import { enqueueObject, splitKey, type ControllerConstructor, type EmbeddedControllerContext } from "../controller.ts";
import { controllerRevisions, ownedRevisions } from "../history/index.ts";
import { claimObjects, controllerManager, OrphanIndex, ownedPods, ownerSelectorOf, watchOwned } from "../owner/index.ts";
import { podChangeAffectsOwner, nextAvailabilityMs } from "../pod/index.ts";
import { updateStatefulSet, type ReplicaSlot } from "./update-stateful-set.ts";
import { syncRevisions, truncateHistory } from "./revisions.ts";
import {
  isInRange,
  parentAndOrdinalOf,
  minReadySeconds,
  ordinalOf,
  statefulSetReplicas,
  statefulSetSource,
  startOrdinalOf,
  statefulSets,
  type StatefulSetSync,
} from "./stateful-set-sync.ts";
import { statefulSetStatusOf } from "./status.ts";

export const statefulSetController: ControllerConstructor = (context) => {
  const { api } = context;
  const orphanPods = new OrphanIndex();
  const orphanRevisions = new OrphanIndex();

  return {
    name: statefulSetSource,
    watches: {
      [statefulSets]: enqueueObject,
      [controllerRevisions]: (change) => {
        orphanRevisions.observe(change);
        return [];
      },
      pods: watchOwned({ api, kind: "StatefulSet", resource: statefulSets, orphans: orphanPods, concerns: podChangeAffectsOwner }),
    },
    reconcile: (key) => {
      const { namespace, name } = splitKey(key);
      const set = api.read(statefulSets, namespace, name);
      return set === undefined ? undefined : reconcile(context, set, orphanPods, orphanRevisions);
    },
  };
};

/** Models pkg/controller/statefulset/stateful_set.go sync */
function reconcile(
  context: EmbeddedControllerContext,
  set: KubeObject,
  orphanPods: OrphanIndex,
  orphanRevisions: OrphanIndex,
): number | undefined {
  const { api } = context;
  const nowMs = context.clock.now();
  const known = ownedRevisions(api, set, orphanRevisions);
  const pods = claimPods(context, set, orphanPods);
  const revisions = syncRevisions(api, set, known);
  const sync: StatefulSetSync = { context, nowMs, set, revisions };

  const { updated, statusError } = set.metadata.deletionTimestamp === undefined ? manage(sync, pods) : { updated: 0 };
  const status = statefulSetStatusOf(sync, pods, updated);
  if (!equal(fieldsAt(set, "status"), status)) api.updateStatus(statefulSets, { ...set, status }, controllerManager);
  truncateHistory(api, set, known, revisions, pods);
  if (statusError !== undefined) throw statusError;
  return minReadySeconds(set) === 0 ? undefined : nextAvailabilityMs(pods, minReadySeconds(set), nowMs);
}

function claimPods({ api }: EmbeddedControllerContext, set: KubeObject, orphans: OrphanIndex): KubeObject[] {
  const selector = ownerSelectorOf(set);
  const matches = (pod: KubeObject) => selector.matches(pod.metadata.labels) && parentAndOrdinalOf(pod)?.parent === set.metadata.name;
  return claimObjects({ api, owner: set, resource: "pods", matches }, ownedPods(api, set), orphans.in(set.metadata.namespace ?? ""));
}

/** Returns a StatusError instead of throwing it, so that the status is written after a failed sync too. */
function manage(sync: StatefulSetSync, pods: readonly KubeObject[]): { updated: number; statusError?: StatusError } {
  const { set } = sync;
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(pod), pod]));
  const slots: ReplicaSlot[] = Array.from({ length: statefulSetReplicas(set) }, (_, place) => {
    const ordinal = startOrdinalOf(set) + place;
    return { ordinal, pod: byOrdinal.get(ordinal) };
  });
  const condemned = pods.filter((pod) => !isInRange(set, ordinalOf(pod))).sort((a, b) => ordinalOf(b) - ordinalOf(a));
  try {
    return { updated: updateStatefulSet(sync, slots, condemned) };
  } catch (error) {
    if (!isStatusError(error)) throw error;
    return { updated: 0, statusError: error };
  }
}
