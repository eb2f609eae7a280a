import { validateCertificateSubject } from "./certificate-subject-restriction.ts";
import { admitDefaultIngressClass, admitDefaultStorageClass } from "./default-class.ts";
import { admitDefaultTolerationSeconds } from "./default-toleration-seconds.ts";
import { admitLimitRanger, validateLimitRanges } from "./limit-ranger.ts";
import { admitNamespaceLifecycle, validateNamespaceLifecycle } from "./namespace-lifecycle.ts";
import { validatePersistentVolumeClaimResize } from "./persistent-volume-claim-resize.ts";
import type { AdmissionPlugin } from "./plugin.ts";
import { podSecurity } from "./pod-security/pod-security.ts";
import { admitPriority, validatePriorityClass } from "./priority.ts";
import { validateResourceQuota } from "./resource-quota.ts";
import { admitRuntimeClass, validateRuntimeClass } from "./runtime-class.ts";
import { admitServiceAccount, validateServiceAccount } from "./service-account.ts";
import { admitStorageObjectInUseProtection } from "./storage-object-in-use-protection.ts";
import { admitTaintNodesByCondition } from "./taint-nodes-by-condition.ts";

const pods = ["pods"];
const priorityClasses = ["priorityclasses.scheduling.k8s.io"];
const signingRequests = ["certificatesigningrequests.certificates.k8s.io"];
const claims = ["persistentvolumeclaims"];

const inTreePlugins: readonly AdmissionPlugin[] = [
  { name: "NamespaceLifecycle", subresources: "all", admit: admitNamespaceLifecycle, validate: validateNamespaceLifecycle },
  {
    name: "LimitRanger",
    resources: [...pods, ...claims],
    subresources: ["resize"],
    admit: admitLimitRanger,
    validate: validateLimitRanges,
  },
  { name: "ServiceAccount", resources: pods, admit: admitServiceAccount },
  { name: "ServiceAccount", resources: [...pods, "serviceaccounts"], validate: validateServiceAccount },
  { name: "TaintNodesByCondition", resources: ["nodes"], admit: admitTaintNodesByCondition },
  podSecurity,
  { name: "Priority", resources: pods, admit: admitPriority },
  { name: "Priority", resources: priorityClasses, validate: validatePriorityClass },
  { name: "DefaultTolerationSeconds", resources: pods, admit: admitDefaultTolerationSeconds },
  { name: "DefaultStorageClass", resources: claims, admit: admitDefaultStorageClass },
  {
    name: "StorageObjectInUseProtection",
    resources: [...claims, "persistentvolumes"],
    admit: admitStorageObjectInUseProtection,
  },
  { name: "PersistentVolumeClaimResize", resources: claims, validate: validatePersistentVolumeClaimResize },
  { name: "RuntimeClass", resources: pods, admit: admitRuntimeClass, validate: validateRuntimeClass },
  { name: "CertificateSubjectRestriction", resources: signingRequests, validate: validateCertificateSubject },
  { name: "DefaultIngressClass", resources: ["ingresses.networking.k8s.io"], admit: admitDefaultIngressClass },
];

const resourceQuota: AdmissionPlugin = { name: "ResourceQuota", subresources: "all", validate: validateResourceQuota };

/**
 * The plugins in their order. `extensions` are those that objects in the cluster configure, in this order:
 * MutatingAdmissionPolicy, MutatingAdmissionWebhook, ValidatingAdmissionPolicy, ValidatingAdmissionWebhook.
 *
 * Models pkg/kubeapiserver/options/plugins.go AllOrderedPlugins
 */
export function admissionPlugins(extensions: readonly AdmissionPlugin[] = []): readonly AdmissionPlugin[] {
  return [...inTreePlugins, ...extensions, resourceQuota];
}
