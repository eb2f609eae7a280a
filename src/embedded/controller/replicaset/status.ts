import {
  conditionsOf,
  equal,
  fieldsAt,
  mapAt,
  numberAt,
  type Condition,
  type Fields,
  type KubeObject,
} from "../../../core/object/index.ts";
import type { StatusError } from "../../status-error.ts";
import { isPodAvailable, isPodReady, timestamp, withoutZeros } from "../pod/index.ts";

/** Models pkg/controller/replicaset/replica_set_utils.go calculateStatus */
export function replicaSetStatusOf(
  set: KubeObject,
  active: readonly KubeObject[],
  terminatingReplicas: number | undefined,
  statusError: StatusError | undefined,
  nowMs: number,
): Fields {
  const minReadySeconds = numberAt(set, "spec.minReadySeconds", 0);
  const labels = Object.entries(mapAt(set, "spec.template.metadata.labels"));
  const ready = active.filter(isPodReady);
  const conditions = conditionsWith(set, active.length, statusError, nowMs);
  return {
    replicas: active.length,
    ...withoutZeros({
      fullyLabeledReplicas: active.filter(({ metadata }) => labels.every(([key, value]) => metadata.labels?.[key] === value)).length,
      readyReplicas: ready.length,
      availableReplicas: ready.filter((pod) => isPodAvailable(pod, minReadySeconds, nowMs)).length,
      observedGeneration: set.metadata.generation,
    }),
    ...(terminatingReplicas === undefined ? {} : { terminatingReplicas }),
    ...(conditions.length === 0 ? {} : { conditions }),
  };
}

/** The ReplicaFailure condition stays, with its first message, until a sync succeeds. */
function conditionsWith(set: KubeObject, activeCount: number, statusError: StatusError | undefined, nowMs: number): readonly Condition[] {
  const present = conditionsOf(set);
  if (statusError === undefined) return present.filter(({ type }) => type !== "ReplicaFailure");
  if (present.some(({ type }) => type === "ReplicaFailure")) return present;
  const failure = {
    type: "ReplicaFailure",
    status: "True",
    lastTransitionTime: timestamp(nowMs),
    reason: activeCount < numberAt(set, "spec.replicas", 1) ? "FailedCreate" : "FailedDelete",
    message: statusError.message,
  };
  return [...present, failure];
}

export function isSameStatus(set: KubeObject, status: Fields): boolean {
  return equal(fieldsAt(set, "status"), status);
}
