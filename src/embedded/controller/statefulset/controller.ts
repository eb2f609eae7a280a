import { equal, fieldsAt, type KubeObject } from "../../../core/object/index.ts";
import { isRefusal, type Refusal } from "../../refusal.ts";
import { itself, partsOf, type MakeController, type World } from "../controller.ts";
import { controllerRevisions, ownedRevisions } from "../history/index.ts";
import { claim, manager, Orphans, ownedPods, selectorOf, watchOwned } from "../owner/index.ts";
import { concernsOwner, nextAvailabilityMs } from "../pod/index.ts";
import { managePods, type Slot } from "./pods.ts";
import { syncRevisions, truncateHistory } from "./revision.ts";
import { isInRange, memberOf, minReadySeconds, ordinalOf, replicasOf, source, startOf, statefulSets, type SetSync } from "./set.ts";
import { statusOf } from "./status.ts";

export const statefulSetController: MakeController = (world) => {
  const { api } = world;
  const orphanPods = new Orphans();
  const orphanRevisions = new Orphans();

  return {
    name: source,
    watches: {
      [statefulSets]: itself,
      [controllerRevisions]: (change) => {
        orphanRevisions.note(change);
        return [];
      },
      pods: watchOwned({ api, kind: "StatefulSet", resource: statefulSets, orphans: orphanPods, concerns: concernsOwner }),
    },
    reconcile: (key) => {
      const { namespace, name } = partsOf(key);
      const set = api.read(statefulSets, namespace, name);
      return set === undefined ? undefined : reconcile(world, set, orphanPods, orphanRevisions);
    },
  };
};

/** Models pkg/controller/statefulset/stateful_set.go sync */
function reconcile(world: World, set: KubeObject, orphanPods: Orphans, orphanRevisions: Orphans): number | undefined {
  const { api } = world;
  const nowMs = world.clock.now();
  const known = ownedRevisions(api, set, orphanRevisions);
  const pods = claimPods(world, set, orphanPods);
  const revisions = syncRevisions(api, set, known);
  const sync: SetSync = { world, nowMs, set, revisions };

  const { updated, refusal } = set.metadata.deletionTimestamp === undefined ? manage(sync, pods) : { updated: 0 };
  const status = statusOf(sync, pods, updated);
  if (!equal(fieldsAt(set, "status"), status)) api.updateStatus(statefulSets, { ...set, status }, manager);
  truncateHistory(api, set, known, revisions, pods);
  if (refusal !== undefined) throw refusal;
  return minReadySeconds(set) === 0 ? undefined : nextAvailabilityMs(pods, minReadySeconds(set), nowMs);
}

function claimPods({ api }: World, set: KubeObject, orphans: Orphans): KubeObject[] {
  const selector = selectorOf(set);
  const matches = (pod: KubeObject) => selector.matches(pod.metadata.labels) && memberOf(pod)?.parent === set.metadata.name;
  return claim({ api, owner: set, resource: "pods", matches }, ownedPods(api, set), orphans.in(set.metadata.namespace ?? ""));
}

/** The status is told even of a round that was refused. */
function manage(sync: SetSync, pods: readonly KubeObject[]): { updated: number; refusal?: Refusal } {
  const { set } = sync;
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(pod), pod]));
  const slots: Slot[] = Array.from({ length: replicasOf(set) }, (_, place) => {
    const ordinal = startOf(set) + place;
    return { ordinal, pod: byOrdinal.get(ordinal) };
  });
  const condemned = pods.filter((pod) => !isInRange(set, ordinalOf(pod))).sort((a, b) => ordinalOf(b) - ordinalOf(a));
  try {
    return { updated: managePods(sync, slots, condemned) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { updated: 0, refusal: error };
  }
}
