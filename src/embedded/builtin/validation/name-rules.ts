import { builtInGroups } from "../../data/index.ts";
import { checkNothing, checkDnsSubdomain, type StringFormatCheck } from "./name-formats.ts";

/** The name formats of kinds without their own rules, where it is not a DNS subdomain. */
const nameChecks: Readonly<Record<string, StringFormatCheck>> = {
  "internal.apiserver.k8s.io/StorageVersion": checkNothing,
  "networking.k8s.io/IPAddress": checkNothing,
};

export function nameCheckOf(key: string): StringFormatCheck {
  return nameChecks[key] ?? checkDnsSubdomain;
}

let clusterWide: ReadonlySet<string> | undefined;

/** Whether a kind (`apps/Deployment`) is namespaced. */
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
