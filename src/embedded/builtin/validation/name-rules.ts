import { builtInGroups } from "../../data/index.ts";
import { any, dnsSubdomain, type Check } from "./names.ts";

/** How kinds without rules of their own are named, where it is not by a DNS subdomain. */
const nameChecks: Readonly<Record<string, Check>> = {
  "internal.apiserver.k8s.io/StorageVersion": any,
  "networking.k8s.io/IPAddress": any,
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
