import { groupVersionOf, valueAt, type KubeObject } from "../../core/object/index.ts";

/** Ordering annotations of other tools, and the tool's name. */
const foreign: readonly (readonly [RegExp, string])[] = [
  [/^argocd\.argoproj\.io\/(sync-wave|hook|hook-delete-policy|sync-options)$/, "Argo CD"],
  [/^config\.kubernetes\.io\/(depends-on|apply-time-mutation)$/, "cli-utils, kpt and Config Sync"],
  [/^cli-utils\.sigs\.k8s\.io\/on-remove$/, "cli-utils"],
  [/^client\.lifecycle\.config\.k8s\.io\/deletion$/, "Config Sync"],
  [/^kapp\.k14s\.io\//, "kapp"],
  [/^kluctl\.io\//, "kluctl"],
  [/^kustomize\.toolkit\.fluxcd\.io\/(prune|ssa|force|reconcile)$/, "Flux"],
  [/^fleet\.cattle\.io\//, "Fleet"],
  [/^helm\.sh\/(resource-group|depends-on\/.+|readiness-success|readiness-failure)$/, "Helm's proposal HIP-0025"],
  [/^kots\.io\/(when|exclude)$/, "KOTS (what to include)"],
];

/** The tool that an annotation belongs to, if its ordering is not supported. */
export function unsupportedDialectOf(key: string): string | undefined {
  return foreign.find(([pattern]) => pattern.test(key))?.[1];
}

/** The controller in the cluster that reads `spec.dependsOn` of this object. */
export function dependsOnController(object: KubeObject): string | undefined {
  const { group } = groupVersionOf(object.apiVersion);
  if (!/\.fluxcd\.(io|controlplane\.io)$|^fluxcd\.controlplane\.io$/.test(group)) return undefined;
  const dependsOn = valueAt(object, "spec.dependsOn");
  return Array.isArray(dependsOn) && dependsOn.length > 0 ? "Flux" : undefined;
}
