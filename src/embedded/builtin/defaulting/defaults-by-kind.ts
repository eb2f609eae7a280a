import type { KubeObject } from "../../../core/object/index.ts";
import * as core from "./core.ts";
import * as other from "./other-groups.ts";
import { podDefaults } from "./pod.ts";
import { serviceDefaults } from "./service.ts";
import * as workload from "./workload.ts";

type Defaults = (object: KubeObject) => KubeObject;

const rbac = "rbac.authorization.k8s.io";
const registration = "admissionregistration.k8s.io";

/** The defaulting of each built-in kind that has one, by group and kind. */
export const defaultsByKind: Readonly<Record<string, Defaults>> = {
  "/Pod": podDefaults,
  "/PodTemplate": core.podTemplateObjectDefaults,
  "/Service": serviceDefaults,
  "/Secret": core.secretDefaults,
  "/Endpoints": core.endpointsDefaults,
  "/Namespace": core.namespaceDefaults,
  "/Node": core.nodeDefaults,
  "/PersistentVolumeClaim": core.persistentVolumeClaimDefaults,
  "/PersistentVolume": core.persistentVolumeDefaults,
  "/LimitRange": core.limitRangeDefaults,
  "/ReplicationController": workload.replicationControllerDefaults,
  "apps/Deployment": workload.deploymentDefaults,
  "apps/ReplicaSet": workload.replicaSetDefaults,
  "apps/DaemonSet": workload.daemonSetDefaults,
  "apps/StatefulSet": workload.statefulSetDefaults,
  "batch/Job": workload.jobDefaults,
  "batch/CronJob": workload.cronJobDefaults,
  "networking.k8s.io/NetworkPolicy": other.networkPolicyDefaults,
  "networking.k8s.io/IngressClass": other.ingressClassDefaults,
  "autoscaling/HorizontalPodAutoscaler": other.autoscalerDefaults,
  [`${rbac}/RoleBinding`]: other.roleBindingDefaults,
  [`${rbac}/ClusterRoleBinding`]: other.roleBindingDefaults,
  "storage.k8s.io/StorageClass": other.storageClassDefaults,
  "storage.k8s.io/CSIDriver": other.csiDriverDefaults,
  "discovery.k8s.io/EndpointSlice": other.endpointSliceDefaults,
  [`${registration}/ValidatingWebhookConfiguration`]: other.validatingWebhooksDefaults,
  [`${registration}/MutatingWebhookConfiguration`]: other.mutatingWebhooksDefaults,
  [`${registration}/ValidatingAdmissionPolicy`]: other.admissionPolicyDefaults,
  [`${registration}/ValidatingAdmissionPolicyBinding`]: other.admissionPolicyBindingDefaults,
  "scheduling.k8s.io/PriorityClass": other.priorityClassDefaults,
  "flowcontrol.apiserver.k8s.io/FlowSchema": other.flowSchemaDefaults,
  "flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration": other.priorityLevelDefaults,
  "resource.k8s.io/ResourceClaim": other.resourceClaimDefaults,
  "resource.k8s.io/ResourceClaimTemplate": other.resourceClaimTemplateDefaults,
  "authentication.k8s.io/TokenRequest": other.tokenRequestDefaults,
  "apiextensions.k8s.io/CustomResourceDefinition": core.crdDefaults,
  "apiregistration.k8s.io/APIService": core.apiServiceDefaults,
};
