import { stringAt, type KubeObject } from "../core/object/index.ts";
import {
  apiServiceHealth,
  certificateSigningRequestHealth,
  crdHealth,
  namespaceHealth,
  nodeHealth,
  resourceQuotaHealth,
} from "./control-plane-health.ts";
import { failedBecause, ready, type Health } from "./health.ts";
import { cronJobHealth, jobHealth } from "./job-health.ts";
import { ingressHealth, serviceHealth } from "./network-health.ts";
import { podHealth } from "./pod-health.ts";
import { horizontalPodAutoscalerHealth, podDisruptionBudgetHealth } from "./scaling-health.ts";
import { persistentVolumeHealth, persistentVolumeClaimHealth, volumeAttachmentHealth } from "./storage-health.ts";
import { daemonSetHealth, deploymentHealth, replicaSetHealth, statefulSetHealth } from "./workload-health.ts";

/** A reason to judge an object so, or nothing when the next rung of the ladder has to. */
export type HealthCheck = (object: KubeObject) => Health | undefined;

/** Kinds whose status is for others to read, or may stay empty for ever while all is well. */
const alwaysReady: HealthCheck = () => ready;

/** Kinds that say what is to be done elsewhere: they are there, or what they say is refused. */
const declarativeHealth: HealthCheck = (object) => {
  const refused = stringAt(object, "status.failureMessage", "");
  return refused === "" ? ready : failedBecause(refused);
};

const declarativeKinds: readonly string[] = [
  ...["ClusterProfile", "Profile"].map((kind) => `config.projectsveltos.io/${kind}`),
  ...["ClusterSet", "EventBasedAddOn", "EventSource", "EventTrigger", "Set"].map((kind) => `lib.projectsveltos.io/${kind}`),
];

/** The kinds whose status means something that is known; by group and kind, since the meaning has outlived many versions. */
const healthChecks: ReadonlyMap<string, HealthCheck> = new Map([
  ["/Namespace", namespaceHealth],
  ["/Node", nodeHealth],
  ["/PersistentVolume", persistentVolumeHealth],
  ["/PersistentVolumeClaim", persistentVolumeClaimHealth],
  ["/Pod", podHealth],
  ["/ReplicationController", replicaSetHealth],
  ["/ResourceQuota", resourceQuotaHealth],
  ["/Service", serviceHealth],
  ["admissionregistration.k8s.io/ValidatingAdmissionPolicy", alwaysReady],
  ["apiextensions.k8s.io/CustomResourceDefinition", crdHealth],
  ["apiregistration.k8s.io/APIService", apiServiceHealth],
  ["apps/DaemonSet", daemonSetHealth],
  ["apps/Deployment", deploymentHealth],
  ["apps/ReplicaSet", replicaSetHealth],
  ["apps/StatefulSet", statefulSetHealth],
  ["autoscaling/HorizontalPodAutoscaler", horizontalPodAutoscalerHealth],
  ["batch/CronJob", cronJobHealth],
  ["batch/Job", jobHealth],
  ["certificates.k8s.io/CertificateSigningRequest", certificateSigningRequestHealth],
  ["extensions/Ingress", ingressHealth],
  ["flowcontrol.apiserver.k8s.io/FlowSchema", alwaysReady],
  ["flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration", alwaysReady],
  ["networking.k8s.io/Ingress", ingressHealth],
  ["policy/PodDisruptionBudget", podDisruptionBudgetHealth],
  // Claimed devices are allocated when the first pod needs them.
  ["resource.k8s.io/ResourceClaim", alwaysReady],
  ["storage.k8s.io/VolumeAttachment", volumeAttachmentHealth],
  ...declarativeKinds.map((kind): [string, HealthCheck] => [kind, declarativeHealth]),
]);

export function healthCheckFor(group: string, kind: string): HealthCheck | undefined {
  return healthChecks.get(`${group}/${kind}`);
}
