/** How a cluster came into the fleet: registered with Sveltos' own kind, or made by Cluster API. Spelled as in specs and labels. */
export type ClusterType = "Sveltos" | "Capi";

/** Names a cluster of the fleet. */
export type ClusterId = { readonly type: ClusterType; readonly namespace: string; readonly name: string };

/** Which of the two kinds of profile is meant. A Profile has a namespace; a ClusterProfile has none. */
export type ProfileKind = "ClusterProfile" | "Profile";

/** Where generated objects live in the management cluster, and reports in a managed one. */
export const sveltosNamespace = "projectsveltos";

/** The type as it stands in names and in labels of reports: `sveltos`, `capi`. */
export function typeInNames(type: ClusterType): string {
  return type.toLowerCase();
}

/** An EventReport's name in the management cluster: `capi--sveltos-service--prod`. It lives in the cluster's namespace. */
export function eventReportName(eventSource: string, { type, name }: ClusterId): string {
  return `${typeInNames(type)}--${eventSource}--${name}`;
}

/** An EventReport's name in the managed cluster, in namespace `projectsveltos`: that of its EventSource. */
export function managedEventReportName(eventSource: string): string {
  return eventSource;
}

/** `<profile>-sveltos-<cluster>`, in the cluster's namespace; a Profile's begins with `p--`. */
export function clusterSummaryName(kind: ProfileKind, profile: string, { type, name }: ClusterId): string {
  return `${prefixFor(kind)}${profile}-${typeInNames(type)}-${name}`;
}

/** `sveltos--<cluster>`, in the cluster's namespace: one for all the profiles of a cluster. */
export function clusterConfigurationName({ type, name }: ClusterId): string {
  return `${typeInNames(type)}--${name}`;
}

/** `<profile>--sveltos--<cluster>`, in the cluster's namespace; a Profile's begins with `p--`. */
export function clusterReportName(kind: ProfileKind, profile: string, { type, name }: ClusterId): string {
  return `${prefixFor(kind)}${profile}--${typeInNames(type)}--${name}`;
}

const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz";

/**
 * The name of a generated profile, ConfigMap or Secret: `sveltos-` and twenty characters of `0-9a-z`.
 *
 * @param random answers numbers from 0 up to, but not including, 1.
 */
export function generatedName(random: () => number): string {
  const letter = () => alphabet[Math.floor(random() * alphabet.length)] ?? "0";
  return `sveltos-${Array.from({ length: 20 }, letter).join("")}`;
}

/** A kind as ClusterSummary.status.deployedGVKs lists it: `NetworkPolicy.v1.networking.k8s.io`; the core group's end in a dot. */
export function deployedGvk({ group, version, kind }: { readonly group: string; readonly version: string; readonly kind: string }): string {
  return `${kind}.${version}.${group}`;
}

/** Reads what `deployedGvk` wrote; undefined for anything else. */
export function gvkOfDeployed(text: string): { readonly group: string; readonly version: string; readonly kind: string } | undefined {
  const parts = /^([^.]+)\.([^.]+)\.(.*)$/.exec(text);
  if (parts === null) return undefined;
  const [, kind = "", version = "", group = ""] = parts;
  return { group, version, kind };
}

function prefixFor(kind: ProfileKind): string {
  return kind === "Profile" ? "p--" : "";
}
