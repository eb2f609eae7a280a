import { fieldsAt, numberAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { isStatusError, type StatusError } from "../../status-error.ts";
import { controllerOf, ownedPods } from "../owner/index.ts";
import {
  sortForDeletionByRank,
  createPod,
  deletePod,
  isPodActive,
  isNamespaceTerminating,
  slowStartBatch,
  type PodControl,
} from "../pod/index.ts";

/** The maximum number of Pods that one sync creates or deletes. */
const burst = 500;

/**
 * Creates missing Pods or deletes surplus ones. Returns the StatusError that stopped it.
 *
 * Models pkg/controller/replicaset/replica_set.go manageReplicas
 */
export function manageReplicas(podControl: PodControl, active: readonly KubeObject[]): StatusError | undefined {
  const surplus = active.length - numberAt(podControl.owner, "spec.replicas", 1);
  if (surplus < 0) return createMissing(podControl, Math.min(-surplus, burst));
  if (surplus > 0) return deleteSurplus(podControl, active, Math.min(surplus, burst));
  return undefined;
}

function createMissing(podControl: PodControl, count: number): StatusError | undefined {
  const template = fieldsAt(podControl.owner, "spec.template");
  return slowStartBatch(count, () => {
    try {
      createPod(podControl, template);
    } catch (error) {
      if (!isNamespaceTerminating(error)) throw error;
    }
  }).statusError;
}

function deleteSurplus(podControl: PodControl, active: readonly KubeObject[], count: number): StatusError | undefined {
  let statusError: StatusError | undefined;
  for (const pod of podsToDelete(podControl, active, count)) {
    try {
      deletePod(podControl, pod);
    } catch (error) {
      if (!isStatusError(error)) throw error;
      statusError ??= error;
    }
  }
  return statusError;
}

function podsToDelete({ context, owner }: PodControl, active: readonly KubeObject[], count: number): readonly KubeObject[] {
  if (count >= active.length) return active;
  const onNode = new Map<string, number>();
  for (const pod of podsOfSiblingSets({ context, owner })) {
    if (isPodActive(pod)) onNode.set(nodeOf(pod), (onNode.get(nodeOf(pod)) ?? 0) + 1);
  }
  return sortForDeletionByRank(active, (pod) => onNode.get(nodeOf(pod)) ?? 0, context.clock.now()).slice(0, count);
}

/** The Pods of all sets with the same controller; none for a set without one. */
function podsOfSiblingSets({ context: { api }, owner }: Pick<PodControl, "context" | "owner">): KubeObject[] {
  const uid = controllerOf(owner)?.uid;
  if (uid === undefined) return [];
  return api.ownedBy(uid).flatMap(({ object }) => (object.kind === owner.kind ? ownedPods(api, object) : []));
}

function nodeOf(pod: KubeObject): string {
  return stringAt(pod, "spec.nodeName", "");
}
