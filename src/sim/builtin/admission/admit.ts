import { limitChecks, limitDefaults } from "./limit-range.ts";
import { namespaceLifecycle } from "./namespace.ts";
import { defaultTolerations, priority, serviceAccount } from "./pod.ts";
import { resourceQuota, type QuotaVerdict } from "./quota.ts";
import type { Admission, AdmissionRequest, Plugin } from "./request.ts";
import { defaultIngressClass, defaultStorageClass, inUseProtection, taintNewNode } from "./storage.ts";

/** The plugins that are on by default and write, in the server's order. Models pkg/kubeapiserver/options/plugins.go */
const writing: readonly Plugin[] = [
  namespaceLifecycle,
  limitDefaults,
  serviceAccount,
  taintNewNode,
  priority,
  defaultTolerations,
  defaultStorageClass,
  inUseProtection,
  defaultIngressClass,
];

/** The first half of admission, before an object is prepared and checked: what the default plugins write into it, or why it is refused. */
export function admit(request: AdmissionRequest): Admission {
  let { object } = request;
  for (const plugin of writing) {
    const verdict = plugin({ ...request, object });
    if ("refused" in verdict) return verdict;
    object = verdict.object;
  }
  return { object };
}

/**
 * The second half, after the object was found valid: limits and quotas. The charges of an object that is let in are to be written to the
 * status of their quotas in the same step as the object.
 */
export function confirm(request: AdmissionRequest): QuotaVerdict {
  const limited = limitChecks(request);
  return "refused" in limited ? limited : resourceQuota(request);
}
