import { booleanAt, findCondition, numberAt, stringAt, valueAt, type KubeObject } from "../core/object/index.ts";
import { conditionText } from "./condition-text.ts";
import { failedBecause, progressingBecause, ready, readyWith, noRoomBecause, type Health } from "./health.ts";
import { isAdmissionDenial } from "./admission-denial.ts";

/** Workload controllers always report the observed generation. Without it, the rest of the status does not count. */
function unseen(object: KubeObject): Health | undefined {
  const written = numberAt(object, "metadata.generation") !== undefined;
  const seen = valueAt(object, "status.observedGeneration") !== undefined;
  if (valueAt(object, "status") !== undefined && (seen || !written)) return undefined;
  return progressingBecause("its controller has not seen it yet");
}

/** Models apps/v1: ready when every desired replica has the current template and is available, and no other is left. */
export function deploymentHealth(object: KubeObject): Health {
  const stalled = findCondition(object, "Progressing", "False");
  if (stalled?.reason === "ProgressDeadlineExceeded") return failedBecause(conditionText(stalled));
  if (booleanAt(object, "spec.paused")) return readyWith("paused: its template is not rolled out");
  return unseen(object) ?? withRefusal(rollout(object), object);
}

function rollout(object: KubeObject): Health {
  const wanted = numberAt(object, "spec.replicas", 1);
  const running = numberAt(object, "status.replicas", 0);
  const updated = numberAt(object, "status.updatedReplicas", 0);
  const available = numberAt(object, "status.availableReplicas", 0);
  if (updated < wanted) return progressingBecause(`${updated} of ${wanted} replicas updated`);
  if (running > updated) return progressingBecause(`${running - updated} old replicas to stop`);
  if (available < wanted) return progressingBecause(`${available} of ${wanted} replicas available`);
  return ready;
}

/** Adds why pods cannot be created, such as a quota. `explainByPods` decides whether that may pass. */
function withRefusal(health: Health, object: KubeObject): Health {
  const refused = findCondition(object, "ReplicaFailure", "True");
  if (health.state !== "progressing" || refused === undefined) return health;
  return progressingBecause(`${health.because}; ${conditionText(refused)}`);
}

/** Also for ReplicationControllers. */
export function replicaSetHealth(object: KubeObject): Health {
  const refused = findCondition(object, "ReplicaFailure", "True");
  if (refused !== undefined && isAdmissionDenial(conditionText(refused))) return noRoomBecause(conditionText(refused), "denied");
  return unseen(object) ?? withRefusal(replicasOfOwn(object), object);
}

function replicasOfOwn(object: KubeObject): Health {
  const wanted = numberAt(object, "spec.replicas", 1);
  const running = numberAt(object, "status.replicas", 0);
  const available = numberAt(object, "status.availableReplicas", 0);
  if (available < wanted) return progressingBecause(`${available} of ${wanted} replicas available`);
  return running > wanted ? progressingBecause(`${running - wanted} replicas to stop`) : ready;
}

/** Models kubectl pkg/polymorphichelpers StatefulSet rollout status. Manual updates are not waited for. */
export function statefulSetHealth(object: KubeObject): Health {
  const waiting = unseen(object) ?? replicasOfSet(object);
  if (waiting !== undefined) return waiting;
  const rolledOut = stringAt(object, "status.updateRevision") === stringAt(object, "status.currentRevision");
  if (rolledOut) return ready;
  if (stringAt(object, "spec.updateStrategy.type") === "OnDelete") return readyWith("pods get the new template when they are deleted");
  const wanted = numberAt(object, "spec.replicas", 1);
  const partition = Math.min(wanted, numberAt(object, "spec.updateStrategy.rollingUpdate.partition", 0));
  const updated = numberAt(object, "status.updatedReplicas", 0);
  if (updated < wanted - partition) return progressingBecause(`${updated} of ${wanted - partition} replicas updated`);
  return partition > 0 ? readyWith(`${partition} replicas keep the old template: the partition is ${partition}`) : ready;
}

function replicasOfSet(object: KubeObject): Health | undefined {
  const wanted = numberAt(object, "spec.replicas", 1);
  const running = numberAt(object, "status.replicas", 0);
  const [count, word] = numberAt(object, "spec.minReadySeconds", 0) > 0 ? ["availableReplicas", "available"] : ["readyReplicas", "ready"];
  const enough = numberAt(object, `status.${count}`, 0);
  if (enough < wanted) return progressingBecause(`${enough} of ${wanted} replicas ${word}`);
  return running > wanted ? progressingBecause(`${running - wanted} replicas to stop`) : undefined;
}

export function daemonSetHealth(object: KubeObject): Health {
  const waiting = unseen(object);
  if (waiting !== undefined) return waiting;
  const wanted = numberAt(object, "status.desiredNumberScheduled", 0);
  const updated = numberAt(object, "status.updatedNumberScheduled", 0);
  const available = numberAt(object, "status.numberAvailable", 0);
  const byHand = stringAt(object, "spec.updateStrategy.type") === "OnDelete";
  if (wanted === 0) return readyWith("no node is to run it");
  if (updated < wanted && !byHand) return progressingBecause(`${updated} of ${wanted} pods updated`);
  if (available < wanted) return progressingBecause(`${available} of ${wanted} pods available`);
  return updated < wanted ? readyWith(`pods get the new template when they are deleted: ${updated} of ${wanted} updated`) : ready;
}
