import type { KubeObject } from "../core/object/index.ts";
import {
  apiServiceHealth,
  certificateSigningRequestHealth,
  crdHealth,
  namespaceHealth,
  nodeHealth,
  resourceQuotaHealth,
} from "./control-plane-health.ts";
import { fleetHealthChecks } from "./fleet-health.ts";
import { ready, type Health } from "./health.ts";
import { cronJobHealth, jobHealth } from "./job-health.ts";
import { ingressHealth, serviceHealth } from "./network-health.ts";
import { podHealth } from "./pod-health.ts";
import { horizontalPodAutoscalerHealth, podDisruptionBudgetHealth } from "./scaling-health.ts";
import { persistentVolumeHealth, persistentVolumeClaimHealth, volumeAttachmentHealth } from "./storage-health.ts";
import { daemonSetHealth, deploymentHealth, replicaSetHealth, statefulSetHealth } from "./workload-health.ts";

/** Assesses an object. Undefined leaves it to the next check. */
export type HealthCheck = (object: KubeObject) => Health | undefined;

/** For kinds whose status is informational or may stay empty. */
const alwaysReady: HealthCheck = () => ready;

/** The built-in checks. By group and kind, because the meaning of a status is the same in all versions. */
const healthChecks = new Map<string, HealthCheck>([
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
  // Devices are allocated when the first pod needs them.
  ["resource.k8s.io/ResourceClaim", alwaysReady],
  ["storage.k8s.io/VolumeAttachment", volumeAttachmentHealth],
  ...fleetHealthChecks,
]);

export function healthCheckFor(group: string, kind: string): HealthCheck | undefined {
  return healthChecks.get(`${group}/${kind}`);
}
