/**
 * kstatus' published rules (sigs.k8s.io/cli-utils pkg/kstatus v0.37), to compare ours with: deletion, generation,
 * Reconciling and Stalled, then a rule per old built-in kind, then the Ready condition, then ready.
 *
 * Only the states are modelled, not the messages.
 */
import { findCondition, groupVersionOf, listAt, numberAt, stringAt, valueAt, type KubeObject } from "../../src/core/object/index.ts";

export type HealthState = "ready" | "progressing" | "failed";
type Rule = (object: KubeObject) => HealthState | undefined;

export function kstatus(object: KubeObject): HealthState {
  const { group } = groupVersionOf(object.apiVersion);
  return general(object) ?? (byKind[`${group}/${object.kind}`] ?? readyCondition)(object) ?? "ready";
}

const general: Rule = (object) => {
  const { generation, deletionTimestamp } = object.metadata ?? {};
  if (deletionTimestamp !== undefined) return "progressing";
  const observed = numberAt(object, "status.observedGeneration");
  if (generation !== undefined && observed !== undefined && generation !== observed) return "progressing";
  if (findCondition(object, "Reconciling", "True") !== undefined) return "progressing";
  return findCondition(object, "Stalled", "True") === undefined ? undefined : "failed";
};

const readyCondition: Rule = (object) => {
  const status = findCondition(object, "Ready")?.status;
  return status === "False" || status === "Unknown" ? "progressing" : undefined;
};

/** Ready when no count is below its minimum. */
function settled(...pairs: readonly (readonly [have: number, wanted: number])[]): HealthState {
  return pairs.every(([have, wanted]) => have >= wanted) ? "ready" : "progressing";
}

function count(object: KubeObject, path: string, otherwise = 0): number {
  return numberAt(object, path, otherwise);
}

const always: Rule = () => "ready";

const deployment: Rule = (object) => {
  const progress = findCondition(object, "Progressing");
  if (progress?.reason === "ProgressDeadlineExceeded") return "failed";
  const endless = numberAt(object, "spec.progressDeadlineSeconds") === undefined;
  const progressed = endless || (progress?.status === "True" && progress.reason === "NewReplicaSetAvailable");
  if (!progressed || findCondition(object, "Available", "True") === undefined) return "progressing";
  const wanted = count(object, "spec.replicas", 1);
  const [replicas, updated] = [count(object, "status.replicas"), count(object, "status.updatedReplicas")];
  const [available, readyOnes] = [count(object, "status.availableReplicas"), count(object, "status.readyReplicas")];
  return settled([replicas, wanted], [updated, wanted], [wanted, replicas], [available, updated], [readyOnes, wanted]);
};

const replicaSet: Rule = (object) => {
  if (findCondition(object, "ReplicaFailure", "True") !== undefined) return "progressing";
  const wanted = count(object, "spec.replicas", 1);
  const least = Math.min(...["fullyLabeledReplicas", "availableReplicas", "readyReplicas"].map((name) => count(object, `status.${name}`)));
  return settled([least, wanted], [wanted, count(object, "status.replicas")]);
};

const statefulSet: Rule = (object) => {
  if (stringAt(object, "spec.updateStrategy.type") === "OnDelete") return "ready";
  const wanted = count(object, "spec.replicas", 1);
  const replicas = count(object, "status.replicas");
  if (replicas !== wanted || count(object, "status.readyReplicas") < wanted) return "progressing";
  const partition = numberAt(object, "spec.updateStrategy.rollingUpdate.partition");
  if (partition !== undefined) return settled([count(object, "status.updatedReplicas"), wanted - partition]);
  const rolledOut = stringAt(object, "status.currentRevision", "") === stringAt(object, "status.updateRevision", "");
  return rolledOut ? settled([count(object, "status.currentReplicas"), wanted]) : "progressing";
};

const daemonSet: Rule = (object) => {
  const wanted = numberAt(object, "status.desiredNumberScheduled");
  const observed = numberAt(object, "status.observedGeneration");
  if (numberAt(object, "metadata.generation") === undefined || observed === undefined || wanted === undefined) return "progressing";
  const names = ["currentNumberScheduled", "updatedNumberScheduled", "numberAvailable", "numberReady"];
  return settled(...names.map((name) => [count(object, `status.${name}`), wanted] as const));
};

const claim: Rule = (object) => (stringAt(object, "status.phase") === "Bound" ? "ready" : "progressing");

const pod: Rule = (object) => {
  const phase = stringAt(object, "status.phase");
  if (phase === "Succeeded" || phase === "Failed") return "ready";
  if (phase === "Running") {
    if (findCondition(object, "Ready", "True") !== undefined) return "ready";
    const crashes = listAt(object, "status.containerStatuses").some(
      (status) => valueAt(status, "state.waiting.reason") === "CrashLoopBackOff",
    );
    return crashes ? "failed" : "progressing";
  }
  // kstatus allows fifteen seconds for scheduling; recorded pods are older.
  return findCondition(object, "PodScheduled", "False")?.reason === "Unschedulable" ? "failed" : "progressing";
};

const job: Rule = (object) => {
  if (findCondition(object, "Complete", "True") !== undefined) return "ready";
  if (findCondition(object, "Failed", "True") !== undefined) return "failed";
  return stringAt(object, "status.startTime", "") === "" ? "progressing" : "ready";
};

const service: Rule = (object) => {
  const waits = stringAt(object, "spec.type") === "LoadBalancer" && stringAt(object, "spec.clusterIP", "") === "";
  return waits ? "progressing" : "ready";
};

const crd: Rule = (object) => {
  const established = findCondition(object, "Established");
  if (findCondition(object, "NamesAccepted", "False") !== undefined) return "failed";
  if (established?.status === "False" && established.reason !== "Installing") return "failed";
  return established?.status === "True" ? "ready" : "progressing";
};

const byKind: Readonly<Record<string, Rule>> = {
  "/ConfigMap": always,
  "/PersistentVolumeClaim": claim,
  "/Pod": pod,
  "/Secret": always,
  "/Service": service,
  "apiextensions.k8s.io/CustomResourceDefinition": crd,
  "apps/DaemonSet": daemonSet,
  "apps/Deployment": deployment,
  "apps/ReplicaSet": replicaSet,
  "apps/StatefulSet": statefulSet,
  "batch/CronJob": always,
  "batch/Job": job,
  "extensions/DaemonSet": daemonSet,
  "extensions/Deployment": deployment,
  "extensions/ReplicaSet": replicaSet,
  "policy/PodDisruptionBudget": always,
};
