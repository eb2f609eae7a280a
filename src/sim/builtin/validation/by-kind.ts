import { fieldsAt, type KubeObject } from "../../../object/index.ts";
import type { FieldError } from "../../field-error.ts";
import { claimRules } from "./claim.ts";
import { configMapRules, secretRules } from "./config.ts";
import { cronJobRules } from "./cron-job.ts";
import { endpointSliceRules, endpointsRules } from "./endpoints.ts";
import { ingressClassRules, ingressRules } from "./ingress.ts";
import { jobRules } from "./job.ts";
import type { KindRules } from "./kind.ts";
import { coreMeta, coreMetaUpdate, objectMeta, objectMetaUpdate, type MetaRules } from "./meta.ts";
import { isNamespaced, nameCheckOf } from "./name-rules.ts";
import { pathSegment } from "./names.ts";
import { networkPolicyRules } from "./network-policy.ts";
import * as other from "./other.ts";
import { podRules } from "./pod-rules.ts";
import { podTemplate } from "./pod.ts";
import { serviceRules } from "./service.ts";
import { statefulSetRules } from "./stateful-set.ts";
import { daemonSetRules, deploymentRules, replicaSetRules, replicationControllerRules } from "./workload.ts";

export type Validation = {
  validate(object: KubeObject): readonly FieldError[];
  validateUpdate(object: KubeObject, live: KubeObject): readonly FieldError[];
  validateStatus(object: KubeObject, live: KubeObject): readonly FieldError[];
};

/** Rules beside those of metadata: `holds` is true of an object at any time, `create` when it is new, `change` of a change. */
type Beside = {
  readonly holds?: (object: KubeObject) => readonly FieldError[];
  readonly create?: (object: KubeObject) => readonly FieldError[];
  readonly change?: (object: KubeObject, live: KubeObject) => readonly FieldError[];
};

const rbac = "rbac.authorization.k8s.io";

const beside: Readonly<Record<string, Beside>> = {
  "/PodTemplate": { holds: (object) => podTemplate(fieldsAt(object, "template"), "template") },
  "/PersistentVolume": { holds: other.persistentVolume },
  "/ResourceQuota": { holds: other.resourceQuota },
  "policy/PodDisruptionBudget": { holds: other.disruptionBudget },
  "autoscaling/HorizontalPodAutoscaler": { holds: other.autoscaler },
  [`${rbac}/Role`]: { holds: other.role },
  [`${rbac}/ClusterRole`]: { holds: other.role },
  [`${rbac}/RoleBinding`]: { holds: other.roleBinding, change: other.roleBindingUpdate },
  [`${rbac}/ClusterRoleBinding`]: { holds: other.roleBinding, change: other.roleBindingUpdate },
  "storage.k8s.io/StorageClass": { create: other.storageClass, change: other.storageClassUpdate },
  "scheduling.k8s.io/PriorityClass": { create: other.priorityClass, change: other.priorityClassUpdate },
};

const rulesByKind: Readonly<Record<string, KindRules>> = {
  "/Pod": podRules,
  "/Service": serviceRules,
  "/ConfigMap": configMapRules,
  "/Secret": secretRules,
  "/Endpoints": endpointsRules,
  "/PersistentVolumeClaim": claimRules,
  "/ReplicationController": replicationControllerRules,
  "apps/Deployment": deploymentRules,
  "apps/ReplicaSet": replicaSetRules,
  "apps/DaemonSet": daemonSetRules,
  "apps/StatefulSet": statefulSetRules,
  "batch/CronJob": cronJobRules,
  "batch/Job": jobRules,
  "discovery.k8s.io/EndpointSlice": endpointSliceRules,
  "networking.k8s.io/Ingress": ingressRules,
  "networking.k8s.io/IngressClass": ingressClassRules,
  "networking.k8s.io/NetworkPolicy": networkPolicyRules,
};

function metadataAnd(rules: MetaRules, { holds, create, change }: Beside = {}): KindRules {
  return {
    create: (object) => [...coreMeta(object, rules), ...(holds?.(object) ?? []), ...(create?.(object) ?? [])],
    update: (object, live) => [...coreMetaUpdate(object, live), ...(holds?.(object) ?? []), ...(change?.(object, live) ?? [])],
  };
}

/** What the server refuses in objects of a built-in kind (`apps/Deployment`). Models apiserver pkg/registry/rest BeforeCreate and BeforeUpdate */
export function validationFor(key: string): Validation {
  const namespaced = isNamespaced(key);
  const rules = rulesByKind[key] ?? metadataAnd({ name: nameCheckOf(key), namespaced }, beside[key]);
  const common = { name: pathSegment, namespaced };
  // The server checks metadata before it asks a kind's own rules, which check it again: clients see such errors more than once.
  const before = (object: KubeObject, live: KubeObject): readonly FieldError[] => [
    ...objectMeta(object, common),
    ...objectMetaUpdate(object, live),
  ];
  const status = rules.status ?? coreMetaUpdate;
  return {
    validate: (object) => {
      const own = rules.create(object);
      return own.length > 0 ? own : objectMeta(object, common);
    },
    validateUpdate: (object, live) => [...before(object, live), ...rules.update(object, live)],
    validateStatus: (object, live) => [...before(object, live), ...status(object, live)],
  };
}
