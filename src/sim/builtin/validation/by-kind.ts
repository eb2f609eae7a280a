import type { KubeObject } from "../../../object/index.ts";
import { fieldsAt } from "../../../object/index.ts";
import { invalid, type FieldError } from "../../field-error.ts";
import * as batch from "./batch.ts";
import { claimSpec, claimUpdate } from "./claim.ts";
import { objectMeta, objectMetaUpdate } from "./meta.ts";
import { dns1035Label, dnsLabel, dnsSubdomain, pathSegment, type Check } from "./names.ts";
import * as other from "./other.ts";
import { createdPod, podTemplate, updatedPod } from "./pod.ts";
import { service, serviceUpdate } from "./service.ts";
import * as workload from "./workload.ts";

export type Validation = {
  validate(object: KubeObject): readonly FieldError[];
  validateUpdate(object: KubeObject, live: KubeObject): readonly FieldError[];
  validateStatus(object: KubeObject, live: KubeObject): readonly FieldError[];
};

/** The rules of one kind: `holds` is true of an object at any time, `change` of a change. */
type Rules = {
  readonly holds?: (object: KubeObject) => readonly FieldError[];
  readonly create?: (object: KubeObject) => readonly FieldError[];
  readonly change?: (object: KubeObject, live: KubeObject) => readonly FieldError[];
};

const rbac = "rbac.authorization.k8s.io";

const rules: Readonly<Record<string, Rules>> = {
  "/Pod": { create: createdPod, change: updatedPod },
  "/PodTemplate": { holds: (object) => podTemplate(fieldsAt(object, "template"), "template") },
  "/Service": { create: service, change: serviceUpdate },
  "/ConfigMap": { create: other.configMap, change: other.configMapUpdate },
  "/Secret": { create: other.secret, change: other.secretUpdate },
  "/PersistentVolumeClaim": { holds: (object) => claimSpec(fieldsAt(object, "spec"), "spec"), change: claimUpdate },
  "/PersistentVolume": { holds: other.persistentVolume },
  "/ReplicationController": { holds: workload.replicationController },
  "/ResourceQuota": { holds: other.resourceQuota },
  "apps/Deployment": { holds: workload.deployment, change: workload.sameSelector },
  "apps/ReplicaSet": { holds: workload.replicaSet, change: workload.sameSelector },
  "apps/DaemonSet": { holds: workload.daemonSet, change: workload.sameSelector },
  "apps/StatefulSet": { create: workload.statefulSet, change: workload.statefulSetUpdate },
  "batch/Job": { holds: batch.job, change: batch.jobUpdate },
  "batch/CronJob": { holds: batch.cronJob, create: batch.cronJobName },
  "networking.k8s.io/Ingress": { holds: other.ingress },
  "networking.k8s.io/NetworkPolicy": { holds: other.networkPolicy },
  "policy/PodDisruptionBudget": { holds: other.disruptionBudget },
  "autoscaling/HorizontalPodAutoscaler": { holds: other.autoscaler },
  [`${rbac}/Role`]: { holds: other.role },
  [`${rbac}/ClusterRole`]: { holds: other.role },
  [`${rbac}/RoleBinding`]: { holds: other.roleBinding, change: other.roleBindingUpdate },
  [`${rbac}/ClusterRoleBinding`]: { holds: other.roleBinding, change: other.roleBindingUpdate },
  "storage.k8s.io/StorageClass": { create: other.storageClass, change: other.storageClassUpdate },
  "scheduling.k8s.io/PriorityClass": { create: other.priorityClass, change: other.priorityClassUpdate },
};

const names: Readonly<Record<string, Check>> = {
  "/Service": dns1035Label,
  "/Namespace": dnsLabel,
  "/Event": pathSegment,
  "events.k8s.io/Event": pathSegment,
  "policy/PodDisruptionBudget": pathSegment,
  "apiregistration.k8s.io/APIService": pathSegment,
  "certificates.k8s.io/CertificateSigningRequest": pathSegment,
  [`${rbac}/Role`]: pathSegment,
  [`${rbac}/ClusterRole`]: pathSegment,
  [`${rbac}/RoleBinding`]: pathSegment,
  [`${rbac}/ClusterRoleBinding`]: pathSegment,
};

const standardFinalizers = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

/** Models pkg/apis/core/validation/validation.go validateKubeFinalizerName */
function finalizerNames(object: KubeObject): readonly FieldError[] {
  const unknown = (object.metadata.finalizers ?? []).filter((name) => !name.includes("/") && !standardFinalizers.has(name));
  return unknown.map((name) => invalid("metadata.finalizers", name, "name is neither a standard finalizer name nor is it fully qualified"));
}

/** An object has a namespace exactly when its request had one, which the caller sees to; so metadata is checked as it stands. */
export function validationFor(key: string): Validation {
  const { holds, create, change } = rules[key] ?? {};
  const name = names[key] ?? dnsSubdomain;
  const meta = (object: KubeObject): readonly FieldError[] => [
    ...objectMeta(object, { name, namespaced: object.metadata.namespace !== undefined }),
    ...finalizerNames(object),
  ];
  return {
    validate: (object) => [...meta(object), ...(holds?.(object) ?? []), ...(create?.(object) ?? [])],
    validateUpdate: (object, live) => [
      ...objectMetaUpdate(object, live),
      ...finalizerNames(object),
      ...(holds?.(object) ?? []),
      ...(change?.(object, live) ?? []),
    ],
    validateStatus: objectMetaUpdate,
  };
}
