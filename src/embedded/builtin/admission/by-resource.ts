import type { KubeObject } from "../../../core/object/index.ts";
import { growOnlyWhatCanGrow } from "./claim-resize.ts";
import { chooseIngressClass, chooseStorageClass } from "./default-class.ts";
import { tolerateTroubledNodes } from "./default-toleration.ts";
import { fillInLimits, keepClaimInRange, keepPodInRange } from "./limit-ranger.ts";
import { keepImmortalNamespaces, keepToNamespaces } from "./namespace-lifecycle.ts";
import type { Attempt, Check, Mutation, Surroundings } from "./plugin.ts";
import { onlyOneDefaultPriority, prioritize } from "./priority.ts";
import { keepToQuota } from "./resource-quota.ts";
import { fitToRuntime, keepToOverhead } from "./runtime-class.ts";
import { actAsServiceAccount, keepToServiceAccount } from "./service-account.ts";
import { protectClaim, protectVolume } from "./storage-protection.ts";
import { taintNewNode } from "./taint-nodes.ts";

// The order of plugins models pkg/kubeapiserver/options/plugins.go AllOrderedPlugins. NamespaceLifecycle comes first, ResourceQuota
// last, for every resource; the others concern one resource each.

const mutations: Readonly<Record<string, readonly Mutation[]>> = {
  pods: [fillInLimits, actAsServiceAccount, prioritize, tolerateTroubledNodes, fitToRuntime],
  nodes: [taintNewNode],
  persistentvolumeclaims: [chooseStorageClass, protectClaim],
  persistentvolumes: [protectVolume],
  "ingresses.networking.k8s.io": [chooseIngressClass],
};

const checks: Readonly<Record<string, readonly Check[]>> = {
  namespaces: [keepImmortalNamespaces],
  pods: [keepPodInRange, keepToServiceAccount, keepToOverhead],
  persistentvolumeclaims: [keepClaimInRange, growOnlyWhatCanGrow],
  "priorityclasses.scheduling.k8s.io": [onlyOneDefaultPriority],
};

/** What the server's default admission makes of an object before it is prepared and validated. A refusal is thrown. */
export function admit(attempt: Attempt, around: Surroundings): KubeObject {
  let { object } = attempt;
  keepToNamespaces(object, attempt, around);
  if (isPart(attempt)) return object;
  for (const mutate of mutations[attempt.resource.key] ?? []) object = mutate(object, attempt, around);
  return object;
}

/** The last word on a write: refuses it, or charges it to the namespace's quotas. */
export function confirm(attempt: Attempt, around: Surroundings): void {
  if (!isPart(attempt)) for (const check of checks[attempt.resource.key] ?? []) check(attempt, around);
  keepToQuota(attempt, around);
}

/** A subresource can change little that a plugin looks at, so all but the first and the last leave it alone. */
function isPart({ subresource = "" }: Attempt): boolean {
  return subresource !== "";
}
