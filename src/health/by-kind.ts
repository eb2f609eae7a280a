import { stringAt, type KubeObject } from "../core/object/index.ts";
import { apiService, certificateSigningRequest, definition, namespace, node, resourceQuota } from "./cluster.ts";
import { failed, ready, type Health } from "./health.ts";
import { cronJob, job } from "./job.ts";
import { ingress, service } from "./network.ts";
import { pod } from "./pod.ts";
import { horizontalPodAutoscaler, podDisruptionBudget } from "./scaling.ts";
import { persistentVolume, persistentVolumeClaim, volumeAttachment } from "./storage.ts";
import { daemonSet, deployment, replicaSet, statefulSet } from "./workload.ts";

/** A reason to judge an object so, or nothing when the next rung of the ladder has to. */
export type Rule = (object: KubeObject) => Health | undefined;

/** Kinds whose status is for others to read, or may stay empty for ever while all is well. */
const always: Rule = () => ready;

/** Kinds that say what is to be done elsewhere: they are there, or what they say is refused. */
const wish: Rule = (object) => {
  const refused = stringAt(object, "status.failureMessage", "");
  return refused === "" ? ready : failed(refused);
};

const wishes: readonly string[] = [
  ...["ClusterProfile", "Profile"].map((kind) => `config.projectsveltos.io/${kind}`),
  ...["ClusterSet", "EventBasedAddOn", "EventSource", "EventTrigger", "Set"].map((kind) => `lib.projectsveltos.io/${kind}`),
];

/** The kinds whose status means something that is known; by group and kind, since the meaning has outlived many versions. */
const rules: ReadonlyMap<string, Rule> = new Map([
  ["/Namespace", namespace],
  ["/Node", node],
  ["/PersistentVolume", persistentVolume],
  ["/PersistentVolumeClaim", persistentVolumeClaim],
  ["/Pod", pod],
  ["/ReplicationController", replicaSet],
  ["/ResourceQuota", resourceQuota],
  ["/Service", service],
  ["admissionregistration.k8s.io/ValidatingAdmissionPolicy", always],
  ["apiextensions.k8s.io/CustomResourceDefinition", definition],
  ["apiregistration.k8s.io/APIService", apiService],
  ["apps/DaemonSet", daemonSet],
  ["apps/Deployment", deployment],
  ["apps/ReplicaSet", replicaSet],
  ["apps/StatefulSet", statefulSet],
  ["autoscaling/HorizontalPodAutoscaler", horizontalPodAutoscaler],
  ["batch/CronJob", cronJob],
  ["batch/Job", job],
  ["certificates.k8s.io/CertificateSigningRequest", certificateSigningRequest],
  ["extensions/Ingress", ingress],
  ["flowcontrol.apiserver.k8s.io/FlowSchema", always],
  ["flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration", always],
  ["networking.k8s.io/Ingress", ingress],
  ["policy/PodDisruptionBudget", podDisruptionBudget],
  // Claimed devices are allocated when the first pod needs them.
  ["resource.k8s.io/ResourceClaim", always],
  ["storage.k8s.io/VolumeAttachment", volumeAttachment],
  ...wishes.map((kind): [string, Rule] => [kind, wish]),
]);

export function ruleFor(group: string, kind: string): Rule | undefined {
  return rules.get(`${group}/${kind}`);
}
