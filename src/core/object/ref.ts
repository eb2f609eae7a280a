import type { KubeObject } from "./object.ts";

export type GroupVersionKind = { readonly group: string; readonly version: string; readonly kind: string };

/** Identifies one object of a cluster. `namespace` is empty for cluster-scoped objects. */
export type ObjectRef = GroupVersionKind & { readonly namespace: string; readonly name: string };

/** The group and version of an apiVersion: `apps/v1`, or `v1` for the core group, whose name is empty. */
export function groupVersionOf(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? { group: "", version: apiVersion } : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

export function apiVersionOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === "" ? version : `${group}/${version}`;
}

export function refOf(object: KubeObject): ObjectRef {
  const { group, version } = groupVersionOf(object.apiVersion);
  return { group, version, kind: object.kind, namespace: object.metadata.namespace ?? "", name: object.metadata.name };
}

/** A unique key of an object, independent of its version: `apps/Deployment/default/web`. */
export function keyOf({ group, kind, namespace, name }: ObjectRef): string {
  return `${group}/${kind}/${namespace}/${name}`;
}

/** The name of an object in messages: `deployment/web`. */
export function titleOf({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return `${kind.toLowerCase()}/${name}`;
}
