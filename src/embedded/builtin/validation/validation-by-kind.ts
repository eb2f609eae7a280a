import { fieldsAt, type KubeObject } from "../../../core/object/index.ts";
import type { FieldError } from "../../field-error.ts";
import { apiServiceRules } from "./api-service.ts";
import { signingRequestRules } from "./certificate-signing-request.ts";
import { autoscalerRules } from "./horizontal-pod-autoscaler.ts";
import { claimRules } from "./persistent-volume-claim.ts";
import { leaseRules, namespaceRules, nodeRules, priorityClassRules, serviceAccountRules } from "./namespace-and-node.ts";
import { configMapRules, secretRules } from "./config-map-and-secret.ts";
import { controllerRevisionRules } from "./controller-revision.ts";
import { cronJobRules } from "./cron-job.ts";
import { disruptionBudgetRules } from "./pod-disruption-budget.ts";
import { endpointSliceRules, endpointsRules } from "./endpoints.ts";
import { eventOfItsGroupRules, eventRules } from "./event.ts";
import { ingressClassRules, ingressRules } from "./ingress.ts";
import { jobRules } from "./job.ts";
import type { KindRules } from "./kind-rules.ts";
import {
  validateCoreObjectMeta,
  validateCoreObjectMetaUpdate,
  validateObjectMeta,
  validateObjectMetaUpdate,
  type MetaRules,
} from "./object-meta.ts";
import { isNamespaced, nameCheckOf } from "./name-rules.ts";
import { checkDnsSubdomain, checkPathSegment } from "./name-formats.ts";
import { networkPolicyRules } from "./network-policy.ts";
import { podRules } from "./pod-rules.ts";
import { validatePodTemplate } from "./pod.ts";
import { limitRangeRules, resourceQuotaRules } from "./resource-quota-and-limit-range.ts";
import { roleBindingRules, roleRules } from "./rbac.ts";
import { serviceRules } from "./service.ts";
import { statefulSetRules } from "./stateful-set.ts";
import { persistentVolumeRules, storageClassRules } from "./persistent-volume.ts";
import { webhookConfigurationRules } from "./webhook-configuration.ts";
import { daemonSetRules, deploymentRules, replicaSetRules, replicationControllerRules } from "./workload.ts";

type KindValidation = {
  validate(object: KubeObject): readonly FieldError[];
  validateUpdate(object: KubeObject, live: KubeObject): readonly FieldError[];
  validateStatus(object: KubeObject, live: KubeObject): readonly FieldError[];
};

const template = (object: KubeObject): readonly FieldError[] => [
  ...validateCoreObjectMeta(object, { name: checkDnsSubdomain, namespaced: true }),
  ...validatePodTemplate(fieldsAt(object, "template"), "template"),
];

const rbac = "rbac.authorization.k8s.io";

const rulesByKind: Readonly<Record<string, KindRules>> = {
  "/ConfigMap": configMapRules,
  "/Endpoints": endpointsRules,
  "/Event": eventRules,
  "/LimitRange": limitRangeRules,
  "/Namespace": namespaceRules,
  "/Node": nodeRules,
  "/PersistentVolume": persistentVolumeRules,
  "/PersistentVolumeClaim": claimRules,
  "/Pod": podRules,
  "/PodTemplate": {
    create: template,
    update: (object, live) => [
      ...validateCoreObjectMetaUpdate(object, live),
      ...validatePodTemplate(fieldsAt(object, "template"), "template"),
    ],
  },
  "/ReplicationController": replicationControllerRules,
  "/ResourceQuota": resourceQuotaRules,
  "/Secret": secretRules,
  "/Service": serviceRules,
  "/ServiceAccount": serviceAccountRules,
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": webhookConfigurationRules,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": webhookConfigurationRules,
  "apiregistration.k8s.io/APIService": apiServiceRules,
  "apps/ControllerRevision": controllerRevisionRules,
  "apps/DaemonSet": daemonSetRules,
  "apps/Deployment": deploymentRules,
  "apps/ReplicaSet": replicaSetRules,
  "apps/StatefulSet": statefulSetRules,
  "autoscaling/HorizontalPodAutoscaler": autoscalerRules,
  "batch/CronJob": cronJobRules,
  "batch/Job": jobRules,
  "certificates.k8s.io/CertificateSigningRequest": signingRequestRules,
  "coordination.k8s.io/Lease": leaseRules,
  "discovery.k8s.io/EndpointSlice": endpointSliceRules,
  "events.k8s.io/Event": eventOfItsGroupRules,
  "networking.k8s.io/Ingress": ingressRules,
  "networking.k8s.io/IngressClass": ingressClassRules,
  "networking.k8s.io/NetworkPolicy": networkPolicyRules,
  "policy/PodDisruptionBudget": disruptionBudgetRules,
  [`${rbac}/ClusterRole`]: roleRules,
  [`${rbac}/ClusterRoleBinding`]: roleBindingRules,
  [`${rbac}/Role`]: roleRules,
  [`${rbac}/RoleBinding`]: roleBindingRules,
  "scheduling.k8s.io/PriorityClass": priorityClassRules,
  "storage.k8s.io/StorageClass": storageClassRules,
};

/** Only the metadata of rarely written kinds is validated. */
function metadataOnly(rules: MetaRules): KindRules {
  return { create: (object) => validateCoreObjectMeta(object, rules), update: validateCoreObjectMetaUpdate };
}

/** The validation of a built-in kind (`apps/Deployment`). Models apiserver pkg/registry/rest BeforeCreate and BeforeUpdate */
export function validationFor(key: string): KindValidation {
  const namespaced = isNamespaced(key);
  const rules = rulesByKind[key] ?? metadataOnly({ name: nameCheckOf(key), namespaced });
  const common = { name: checkPathSegment, namespaced };
  // The server validates metadata before the kind's own rules, which validate it again: clients see such errors twice.
  const before = (object: KubeObject, live: KubeObject): readonly FieldError[] => [
    ...validateObjectMeta(object, common),
    ...validateObjectMetaUpdate(object, live),
  ];
  const status = rules.status ?? validateCoreObjectMetaUpdate;
  return {
    validate: (object) => {
      const own = rules.create(object);
      return own.length > 0 ? own : validateObjectMeta(object, common);
    },
    validateUpdate: (object, live) => [...before(object, live), ...rules.update(object, live)],
    validateStatus: (object, live) => [...before(object, live), ...status(object, live)],
  };
}
