import { fieldsAt, numberAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { isRefusal, type Refusal } from "../../refusal.ts";
import { controllerOf, ownedPods } from "../owner/index.ts";
import { byDeletionRanked, createPod, deletePod, isActive, isNamespaceEnding, slowStart, type PodMaker } from "../pod/index.ts";

/** How many Pods one round makes or ends at most. */
const burst = 500;

/**
 * Makes the missing Pods or ends those too many. Answers the refusal that stopped it, if one did.
 *
 * Models pkg/controller/replicaset/replica_set.go manageReplicas
 */
export function manageReplicas(maker: PodMaker, active: readonly KubeObject[]): Refusal | undefined {
  const surplus = active.length - numberAt(maker.owner, "spec.replicas", 1);
  if (surplus < 0) return createMissing(maker, Math.min(-surplus, burst));
  if (surplus > 0) return deleteSurplus(maker, active, Math.min(surplus, burst));
  return undefined;
}

function createMissing(maker: PodMaker, count: number): Refusal | undefined {
  const template = fieldsAt(maker.owner, "spec.template");
  return slowStart(count, () => {
    try {
      createPod(maker, template);
    } catch (error) {
      if (!isNamespaceEnding(error)) throw error;
    }
  }).refusal;
}

function deleteSurplus(maker: PodMaker, active: readonly KubeObject[], count: number): Refusal | undefined {
  let refusal: Refusal | undefined;
  for (const pod of podsToDelete(maker, active, count)) {
    try {
      deletePod(maker, pod);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusal ??= error;
    }
  }
  return refusal;
}

function podsToDelete({ world, owner }: PodMaker, active: readonly KubeObject[], count: number): readonly KubeObject[] {
  if (count >= active.length) return active;
  const onNode = new Map<string, number>();
  for (const pod of kinOf({ world, owner })) {
    if (isActive(pod)) onNode.set(nodeOf(pod), (onNode.get(nodeOf(pod)) ?? 0) + 1);
  }
  return byDeletionRanked(active, (pod) => onNode.get(nodeOf(pod)) ?? 0, world.clock.now()).slice(0, count);
}

/** The Pods of all sets with the same owner; a set that nobody owns has no kin. */
function kinOf({ world: { api }, owner }: Pick<PodMaker, "world" | "owner">): KubeObject[] {
  const uid = controllerOf(owner)?.uid;
  if (uid === undefined) return [];
  return api.ownedBy(uid).flatMap(({ object }) => (object.kind === owner.kind ? ownedPods(api, object) : []));
}

function nodeOf(pod: KubeObject): string {
  return stringAt(pod, "spec.nodeName", "");
}
