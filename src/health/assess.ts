import { groupVersionOf, numberAt, stringsAt, valueAt, type KubeObject } from "../object/index.ts";
import { custom } from "./custom.ts";
import { progressing, type Health, type KindFacts } from "./health.ts";
import { cronJob, job } from "./job.ts";
import {
  apiService,
  definition,
  horizontalPodAutoscaler,
  ingress,
  namespace,
  persistentVolume,
  persistentVolumeClaim,
  podDisruptionBudget,
  service,
} from "./other.ts";
import { pod } from "./pod.ts";
import { daemonSet, deployment, replicaSet, statefulSet } from "./workload.ts";

/** A reason to judge an object so, or nothing when the next rung of the ladder has to. */
type Rule = (object: KubeObject) => Health | undefined;

/** The built-in kinds whose status means something; by group and kind, since the meaning has outlived many versions. */
const byKind: Readonly<Record<string, Rule>> = {
  "/Namespace": namespace,
  "/PersistentVolume": persistentVolume,
  "/PersistentVolumeClaim": persistentVolumeClaim,
  "/Pod": pod,
  "/ReplicationController": replicaSet,
  "/Service": service,
  "apiextensions.k8s.io/CustomResourceDefinition": definition,
  "apiregistration.k8s.io/APIService": apiService,
  "apps/DaemonSet": daemonSet,
  "apps/Deployment": deployment,
  "apps/ReplicaSet": replicaSet,
  "apps/StatefulSet": statefulSet,
  "autoscaling/HorizontalPodAutoscaler": horizontalPodAutoscaler,
  "batch/CronJob": cronJob,
  "batch/Job": job,
  "networking.k8s.io/Ingress": ingress,
  "policy/PodDisruptionBudget": podDisruptionBudget,
};

/** Judges an object by itself alone: no cluster, no clock. Only a kind that has a status can keep us waiting for one. */
export function assess(object: KubeObject, kind: KindFacts): Health {
  const rule = byKind[`${groupVersionOf(object.apiVersion).group}/${object.kind}`];
  return terminating(object) ?? unobserved(object) ?? rule?.(object) ?? custom(object, kind);
}

const terminating: Rule = (object) => {
  if (valueAt(object, "metadata.deletionTimestamp") === undefined) return undefined;
  const finalizers = stringsAt(object, "metadata.finalizers");
  return progressing(finalizers.length === 0 ? "being deleted" : `being deleted, kept by the finalizers ${finalizers.join(", ")}`);
};

/** A status written for an older spec says nothing about this one. */
const unobserved: Rule = (object) => {
  const generation = numberAt(object, "metadata.generation", 0);
  const observed = valueAt(object, "status.observedGeneration");
  // Some write it as text. Where it is a hash it cannot be compared.
  if (typeof observed === "string" && !/^\d+$/.test(observed)) return undefined;
  if (observed === undefined || Number(observed) >= generation) return undefined;
  return progressing(`generation ${generation} not yet observed`);
};
