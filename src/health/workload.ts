import { booleanAt, condition, numberAt, stringAt, type KubeObject } from "../object/index.ts";
import { failed, progressing, ready, readyWith, type Health } from "./health.ts";

/** Models apps/v1: ready when every wanted replica is of the current template and available, and no other is left. */
export function deployment(object: KubeObject): Health {
  const stalled = condition(object, "Progressing", "False");
  if (stalled?.reason === "ProgressDeadlineExceeded") return failed(stalled.message ?? stalled.reason);
  const refused = condition(object, "ReplicaFailure", "True");
  if (refused !== undefined) return failed(refused.message ?? "its pods cannot be created");
  if (booleanAt(object, "spec.paused")) return readyWith("paused: its template is not rolled out");

  const wanted = numberAt(object, "spec.replicas", 1);
  const running = numberAt(object, "status.replicas", 0);
  const updated = numberAt(object, "status.updatedReplicas", 0);
  const available = numberAt(object, "status.availableReplicas", 0);
  if (updated < wanted) return progressing(`${updated} of ${wanted} replicas updated`);
  if (running > updated) return progressing(`${running - updated} old replicas to stop`);
  if (available < wanted) return progressing(`${available} of ${wanted} replicas available`);
  return ready;
}

export function replicaSet(object: KubeObject): Health {
  const refused = condition(object, "ReplicaFailure", "True");
  if (refused !== undefined) return failed(refused.message ?? "its pods cannot be created");
  const wanted = numberAt(object, "spec.replicas", 1);
  const running = numberAt(object, "status.replicas", 0);
  const available = numberAt(object, "status.availableReplicas", 0);
  if (available < wanted) return progressing(`${available} of ${wanted} replicas available`);
  return running > wanted ? progressing(`${running - wanted} replicas to stop`) : ready;
}

export function statefulSet(object: KubeObject): Health {
  const wanted = numberAt(object, "spec.replicas", 1);
  const readyReplicas = numberAt(object, "status.readyReplicas", 0);
  if (readyReplicas < wanted) return progressing(`${readyReplicas} of ${wanted} replicas ready`);
  const running = numberAt(object, "status.replicas", 0);
  if (running > wanted) return progressing(`${running - wanted} replicas to stop`);
  if (stringAt(object, "spec.updateStrategy.type") === "OnDelete") return ready;

  const updated = numberAt(object, "status.updatedReplicas", 0);
  const partition = numberAt(object, "spec.updateStrategy.rollingUpdate.partition", 0);
  const toUpdate = Math.max(0, wanted - partition);
  const rolledOut = stringAt(object, "status.updateRevision") === stringAt(object, "status.currentRevision");
  if (!rolledOut && updated < toUpdate) return progressing(`${updated} of ${toUpdate} replicas updated`);
  if (partition > 0 && !rolledOut) return readyWith(`${partition} replicas keep the old template: the partition is ${partition}`);
  return ready;
}

export function daemonSet(object: KubeObject): Health {
  const wanted = numberAt(object, "status.desiredNumberScheduled", 0);
  const updated = numberAt(object, "status.updatedNumberScheduled", 0);
  const available = numberAt(object, "status.numberAvailable", 0);
  const onDelete = stringAt(object, "spec.updateStrategy.type") === "OnDelete";
  if (!onDelete && updated < wanted && numberAt(object, "status.updatedNumberScheduled") !== undefined) {
    return progressing(`${updated} of ${wanted} pods updated`);
  }
  return available < wanted ? progressing(`${available} of ${wanted} pods available`) : ready;
}
