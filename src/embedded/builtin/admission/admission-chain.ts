import type { KubeObject } from "../../../core/object/index.ts";
import { validatePersistentVolumeClaimResize } from "./persistent-volume-claim-resize.ts";
import { admitDefaultIngressClass, admitDefaultStorageClass } from "./default-class.ts";
import { admitDefaultTolerationSeconds } from "./default-toleration-seconds.ts";
import { admitLimitRanger, validateClaimLimitRanges, validatePodLimitRanges } from "./limit-ranger.ts";
import { validateNamespaceLifecycle, admitNamespaceLifecycle } from "./namespace-lifecycle.ts";
import type { AdmissionAttributes, ValidatingPlugin, MutatingPlugin, AdmissionContext } from "./plugin.ts";
import { validatePriorityClass, admitPriority } from "./priority.ts";
import { validateResourceQuota } from "./resource-quota.ts";
import { admitRuntimeClass, validateRuntimeClass } from "./runtime-class.ts";
import { admitServiceAccount, validateServiceAccount } from "./service-account.ts";
import { admitClaimProtection, admitVolumeProtection } from "./storage-object-in-use-protection.ts";
import { admitTaintNodesByCondition } from "./taint-nodes-by-condition.ts";

// The order of plugins models pkg/kubeapiserver/options/plugins.go AllOrderedPlugins. NamespaceLifecycle runs first and
// ResourceQuota last, for every resource; the others apply to one resource each.

const mutatingPlugins: Readonly<Record<string, readonly MutatingPlugin[]>> = {
  pods: [admitLimitRanger, admitServiceAccount, admitPriority, admitDefaultTolerationSeconds, admitRuntimeClass],
  nodes: [admitTaintNodesByCondition],
  persistentvolumeclaims: [admitDefaultStorageClass, admitClaimProtection],
  persistentvolumes: [admitVolumeProtection],
  "ingresses.networking.k8s.io": [admitDefaultIngressClass],
};

const validatingPlugins: Readonly<Record<string, readonly ValidatingPlugin[]>> = {
  namespaces: [validateNamespaceLifecycle],
  pods: [validatePodLimitRanges, validateServiceAccount, validateRuntimeClass],
  persistentvolumeclaims: [validateClaimLimitRanges, validatePersistentVolumeClaimResize],
  "priorityclasses.scheduling.k8s.io": [validatePriorityClass],
};

/** Runs the mutating plugins of the default admission chain. Throws a StatusError to reject the write. */
export function runMutatingAdmission(attributes: AdmissionAttributes, context: AdmissionContext): KubeObject {
  let { object } = attributes;
  admitNamespaceLifecycle(object, attributes, context);
  if (isSubresourceWrite(attributes)) return object;
  for (const mutate of mutatingPlugins[attributes.resource.key] ?? []) object = mutate(object, attributes, context);
  return object;
}

/** Runs the validating plugins, the quota plugin last. Throws a StatusError to reject the write. */
export function runValidatingAdmission(attributes: AdmissionAttributes, context: AdmissionContext): void {
  if (!isSubresourceWrite(attributes)) for (const check of validatingPlugins[attributes.resource.key] ?? []) check(attributes, context);
  validateResourceQuota(attributes, context);
}

/** Subresource writes skip all plugins but NamespaceLifecycle and ResourceQuota. */
function isSubresourceWrite({ subresource = "" }: AdmissionAttributes): boolean {
  return subresource !== "";
}
