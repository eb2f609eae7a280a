import { type Fields, type KubeObject } from "../../../core/object/index.ts";
import { isAvailable, isReady, phaseOf, withoutZeros } from "../pod/index.ts";
import { podRevision } from "./revision.ts";
import { isRolling, minReadySeconds, replicasOf, type SetSync } from "./set.ts";

/**
 * The status after a round that ended `updated` Pods of the current revision. An update that is through makes its
 * revision the current one.
 *
 * Models pkg/controller/statefulset/stateful_set_control.go updateStatus and completeRollingUpdate
 */
export function statusOf({ set, revisions, nowMs }: SetSync, pods: readonly KubeObject[], updated: number): Fields {
  const { current, update, collisionCount } = revisions;
  const made = pods.filter((pod) => phaseOf(pod) !== "");
  const staying = made.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const ready = pods.filter((pod) => phaseOf(pod) === "Running" && isReady(pod));
  const updatedReplicas = staying.filter((pod) => podRevision(pod) === update.metadata.name).length;
  const desired = replicasOf(set);
  const complete = isRolling(set) && updatedReplicas === desired && ready.length === desired && made.length === desired;
  const currentReplicas = staying.filter((pod) => podRevision(pod) === current.metadata.name).length - updated;
  return {
    replicas: made.length,
    availableReplicas: ready.filter((pod) => isAvailable(pod, minReadySeconds(set), nowMs)).length,
    ...withoutZeros({
      observedGeneration: set.metadata.generation,
      readyReplicas: ready.length,
      currentReplicas: complete ? updatedReplicas : currentReplicas,
      updatedReplicas,
      currentRevision: complete ? update.metadata.name : current.metadata.name,
      updateRevision: update.metadata.name,
    }),
    collisionCount,
  };
}
