import { apiVersionOf } from "../../core/object/index.ts";
import type { ApiGroup, ApiResource, ApiVersion } from "./api-group.ts";

// The documents of discovery for any list of groups, built-in or custom.

/** `/api` and `/apis` in the aggregated form (apidiscovery.k8s.io/v2). Models apiserver pkg/endpoints/discovery/aggregated */
export function aggregatedDiscovery(groups: readonly ApiGroup[]): Readonly<Record<string, unknown>> {
  const items = groups.map(({ name, versions }) => ({
    metadata: name === "" ? {} : { name },
    versions: versions.map((version) => ({
      version: version.version,
      resources: aggregatedResources(name, version),
      freshness: "Current",
    })),
  }));
  return { kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2", metadata: {}, items };
}

function aggregatedResources(group: string, { version, resources, custom = false }: ApiVersion): readonly unknown[] {
  const main = resources.filter(({ name }) => !name.includes("/"));
  const orphans = new Set(resources.map(({ name }) => mainName(name)).filter((name) => main.every((item) => item.name !== name)));
  // Built-in kinds name a group or version only when it differs from that of the resource.
  const kindOf = (item: ApiResource) => ({
    group: item.group ?? (custom ? group : ""),
    version: item.version ?? (custom ? version : ""),
    kind: item.kind,
  });
  const known = main.map((item) => ({
    resource: item.name,
    responseKind: kindOf(item),
    scope: scopeOf(item),
    singularResource: item.singularName,
    verbs: item.verbs,
    ...(item.shortNames === undefined ? {} : { shortNames: item.shortNames }),
    ...(item.categories === undefined ? {} : { categories: item.categories }),
    ...withSubresources(item.name, resources, kindOf),
  }));
  const bare = [...orphans].map((name) => ({
    resource: name,
    scope: scopeOf(resources.find((item) => mainName(item.name) === name)),
    singularResource: "",
    verbs: [],
    ...withSubresources(name, resources, kindOf),
  }));
  return [...known, ...bare];
}

function withSubresources(
  resource: string,
  resources: readonly ApiResource[],
  kindOf: (item: ApiResource) => unknown,
): { subresources?: readonly unknown[] } {
  const found = resources.filter(({ name }) => name.startsWith(`${resource}/`));
  if (found.length === 0) return {};
  const subresources = found.map((item) => ({
    subresource: item.name.slice(resource.length + 1),
    responseKind: kindOf(item),
    verbs: item.verbs,
  }));
  return { subresources };
}

function mainName(name: string): string {
  return name.split("/", 1)[0] ?? name;
}

function scopeOf(item: ApiResource | undefined): "Namespaced" | "Cluster" {
  return item?.namespaced === true ? "Namespaced" : "Cluster";
}

/** `/api`. `address` is host and port under which clients reach the server. */
export function apiVersions(address: string): Readonly<Record<string, unknown>> {
  return { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: address }] };
}

/** `/apis`: every group that has a name. */
export function apiGroupList(groups: readonly ApiGroup[]): Readonly<Record<string, unknown>> {
  return { kind: "APIGroupList", apiVersion: "v1", groups: groups.filter(({ name }) => name !== "").map(groupEntry) };
}

/** `/apis/GROUP`. */
export function apiGroup(group: ApiGroup): Readonly<Record<string, unknown>> {
  return { kind: "APIGroup", apiVersion: "v1", ...groupEntry(group) };
}

function groupEntry({ name, versions }: ApiGroup): Readonly<Record<string, unknown>> {
  const served = versions.map(({ version }) => ({ groupVersion: apiVersionOf({ group: name, version }), version }));
  return { name, versions: served, preferredVersion: served[0] };
}

/** `/api/v1` and `/apis/GROUP/VERSION`. */
export function apiResourceList({ name }: Pick<ApiGroup, "name">, { version, resources }: ApiVersion): Readonly<Record<string, unknown>> {
  // Only the documents of named groups carry an apiVersion. Models apiserver pkg/endpoints/discovery/version.go
  const head = name === "" ? { kind: "APIResourceList" } : { kind: "APIResourceList", apiVersion: "v1" };
  return { ...head, groupVersion: apiVersionOf({ group: name, version }), resources };
}
