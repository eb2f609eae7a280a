import { type Fields, type KubeObject } from "../../../core/object/index.ts";
import { isPodAvailable, isPodReady, podPhaseOf, withoutZeros } from "../pod/index.ts";
import { podRevision } from "./revisions.ts";
import { isStatefulSetRolling, minReadySeconds, statefulSetReplicas, type StatefulSetSync } from "./stateful-set-sync.ts";

/**
 * The status after a sync that deleted `updated` Pods of the current revision. A completed update makes its revision
 * the current one.
 *
 * Models pkg/controller/statefulset/stateful_set_control.go updateStatus and completeRollingUpdate
 */
export function statefulSetStatusOf({ set, revisions, nowMs }: StatefulSetSync, pods: readonly KubeObject[], updated: number): Fields {
  const { current, update, collisionCount } = revisions;
  const made = pods.filter((pod) => podPhaseOf(pod) !== "");
  const staying = made.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const ready = pods.filter((pod) => podPhaseOf(pod) === "Running" && isPodReady(pod));
  const updatedReplicas = staying.filter((pod) => podRevision(pod) === update.metadata.name).length;
  const desired = statefulSetReplicas(set);
  const complete = isStatefulSetRolling(set) && updatedReplicas === desired && ready.length === desired && made.length === desired;
  const currentReplicas = staying.filter((pod) => podRevision(pod) === current.metadata.name).length - updated;
  return {
    replicas: made.length,
    availableReplicas: ready.filter((pod) => isPodAvailable(pod, minReadySeconds(set), nowMs)).length,
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
