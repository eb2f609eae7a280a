import { stringAt, type KubeObject } from "../../core/object/index.ts";
/** The type of a cluster: a SveltosCluster, or a Cluster of Cluster API. Spelled as in specs and labels. */
export type ClusterType = "Sveltos" | "Capi";

/** The identity of a managed cluster. */
export type ClusterId = { readonly type: ClusterType; readonly namespace: string; readonly name: string };

/** A Profile is namespaced, a ClusterProfile is cluster-scoped. */
export type ProfileKind = "ClusterProfile" | "Profile";

/** The namespace of generated objects in the management cluster, and of EventReports in a managed cluster. */
export const sveltosNamespace = "projectsveltos";

/** The type as names and report labels spell it: `sveltos`, `capi`. */
export function typeInNames(type: ClusterType): string {
  return type.toLowerCase();
}

/** The name of an EventReport in the management cluster, in the cluster's namespace: `capi--sveltos-service--prod`. */
export function eventReportName(eventSource: string, { type, name }: ClusterId): string {
  return `${typeInNames(type)}--${eventSource}--${name}`;
}

/** The name of an EventReport in the managed cluster, in namespace `projectsveltos`: that of its EventSource. */
export function managedEventReportName(eventSource: string): string {
  return eventSource;
}

/** `<profile>-sveltos-<cluster>`, in the cluster's namespace; for a Profile with the prefix `p--`. */
export function clusterSummaryName(kind: ProfileKind, profile: string, { type, name }: ClusterId): string {
  return `${prefixFor(kind)}${profile}-${typeInNames(type)}-${name}`;
}

/** `sveltos--<cluster>`, in the cluster's namespace: one for all the profiles of a cluster. */
export function clusterConfigurationName({ type, name }: ClusterId): string {
  return `${typeInNames(type)}--${name}`;
}

/** `<profile>--sveltos--<cluster>`, in the cluster's namespace; for a Profile with the prefix `p--`. */
export function clusterReportName(kind: ProfileKind, profile: string, { type, name }: ClusterId): string {
  return `${prefixFor(kind)}${profile}--${typeInNames(type)}--${name}`;
}

const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz";

/**
 * The name of a generated profile, ConfigMap or Secret: `sveltos-` and twenty characters of `0-9a-z`.
 *
 * @param random gives numbers from 0 up to, but not including, 1.
 */
export function generatedName(random: () => number): string {
  const letter = () => alphabet[Math.floor(random() * alphabet.length)] ?? "0";
  return `sveltos-${Array.from({ length: 20 }, letter).join("")}`;
}

/** A kind as ClusterSummary.status.deployedGVKs lists it: `NetworkPolicy.v1.networking.k8s.io`, or `Pod.v1.` for the core group. */
export function deployedGvk({ group, version, kind }: { readonly group: string; readonly version: string; readonly kind: string }): string {
  return `${kind}.${version}.${group}`;
}

/** The inverse of `deployedGvk`; undefined for any other text. */
export function gvkOfDeployed(text: string): { readonly group: string; readonly version: string; readonly kind: string } | undefined {
  const parts = /^([^.]+)\.([^.]+)\.(.*)$/.exec(text);
  if (parts === null) return undefined;
  const [, kind = "", version = "", group = ""] = parts;
  return { group, version, kind };
}

function prefixFor(kind: ProfileKind): string {
  return kind === "Profile" ? "p--" : "";
}

/** The cluster that a ClusterSummary is for. */
export function clusterOfSummary(summary: KubeObject): ClusterId {
  const type = stringAt(summary, "spec.clusterType") === "Capi" ? "Capi" : "Sveltos";
  return { type, namespace: stringAt(summary, "spec.clusterNamespace", ""), name: stringAt(summary, "spec.clusterName", "") };
}
