import { builtInGroups } from "../../data/index.ts";
import { any, dns1035Label, dnsLabel, dnsSubdomain, pathSegment, type Check } from "./names.ts";

/** Names of kinds that are not DNS subdomains, as each kind's validation has them. */
const nameChecks: Readonly<Record<string, Check>> = {
  "/Namespace": dnsLabel,
  "/Service": dns1035Label,
  "apps/StatefulSet": dnsLabel,
  "certificates.k8s.io/CertificateSigningRequest": any,
  "policy/PodDisruptionBudget": any,
  "rbac.authorization.k8s.io/ClusterRole": pathSegment,
  "rbac.authorization.k8s.io/ClusterRoleBinding": pathSegment,
  "rbac.authorization.k8s.io/Role": pathSegment,
  "rbac.authorization.k8s.io/RoleBinding": pathSegment,
};

export function nameCheckOf(key: string): Check {
  return nameChecks[key] ?? dnsSubdomain;
}

let clusterWide: ReadonlySet<string> | undefined;

/** Whether objects of a kind (`apps/Deployment`) live in namespaces. */
export function isNamespaced(key: string): boolean {
  clusterWide ??= new Set(clusterWideKinds());
  return !clusterWide.has(key);
}

function clusterWideKinds(): readonly string[] {
  return builtInGroups().flatMap(({ name, versions }) =>
    versions.flatMap(({ resources }) =>
      resources.filter((resource) => !resource.namespaced && !resource.name.includes("/")).map(({ kind }) => `${name}/${kind}`),
    ),
  );
}
