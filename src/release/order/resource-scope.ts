import { stringAt, type GroupVersionKind } from "../../core/object/index.ts";
import type { LocatedManifest } from "../../lang/yaml/index.ts";

export type ResourceScope = "namespaced" | "cluster";

/** The cluster-scoped built-in kinds; all others are namespaced. */
const clusterScoped: ReadonlySet<string> = new Set([
  "/Namespace",
  "/Node",
  "/PersistentVolume",
  "/ComponentStatus",
  "admissionregistration.k8s.io/MutatingWebhookConfiguration",
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration",
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy",
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding",
  "admissionregistration.k8s.io/MutatingAdmissionPolicy",
  "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding",
  "apiextensions.k8s.io/CustomResourceDefinition",
  "apiregistration.k8s.io/APIService",
  "certificates.k8s.io/CertificateSigningRequest",
  "certificates.k8s.io/ClusterTrustBundle",
  "flowcontrol.apiserver.k8s.io/FlowSchema",
  "flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration",
  "networking.k8s.io/IngressClass",
  "networking.k8s.io/IPAddress",
  "networking.k8s.io/ServiceCIDR",
  "node.k8s.io/RuntimeClass",
  "policy/PodSecurityPolicy",
  "rbac.authorization.k8s.io/ClusterRole",
  "rbac.authorization.k8s.io/ClusterRoleBinding",
  "resource.k8s.io/DeviceClass",
  "resource.k8s.io/ResourceSlice",
  "scheduling.k8s.io/PriorityClass",
  "storage.k8s.io/CSIDriver",
  "storage.k8s.io/CSINode",
  "storage.k8s.io/StorageClass",
  "storage.k8s.io/VolumeAttachment",
  "storage.k8s.io/VolumeAttributesClass",
]);

/** The scope of a kind by the CRDs among the manifests, else by the built-in kinds. */
export function scopesFromManifests(manifests: readonly LocatedManifest[]): (gvk: GroupVersionKind) => ResourceScope {
  const fromCrds = new Map<string, ResourceScope>();
  for (const { object } of manifests) {
    if (object.kind !== "CustomResourceDefinition") continue;
    const kind = `${stringAt(object, "spec.group", "")}/${stringAt(object, "spec.names.kind", "")}`;
    fromCrds.set(kind, stringAt(object, "spec.scope") === "Cluster" ? "cluster" : "namespaced");
  }
  return ({ group, kind }) => {
    const key = `${group}/${kind}`;
    return fromCrds.get(key) ?? (clusterScoped.has(key) ? "cluster" : "namespaced");
  };
}
