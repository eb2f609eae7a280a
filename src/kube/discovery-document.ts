import { groupVersionOf, listAt, stringAt, stringsAt, valueAt, type Fields } from "../core/object/index.ts";
import type { Resource } from "./resource.ts";

/** One version of a group. `stale`: the server could not read it (an aggregated API is down), so resources may be missing. */
export type ServedVersion = { readonly version: string; readonly resources: readonly Resource[]; readonly stale: boolean };

/** A group with its served versions, the preferred one first. */
export type ServedGroup = { readonly group: string; readonly versions: readonly ServedVersion[] };

/** Reads an APIGroupDiscoveryList (v2 and v2beta1 have the same shape). */
export function readAggregated(document: unknown): readonly ServedGroup[] {
  return listAt(document, "items").map((item) => {
    const group = stringAt(item, "metadata.name", "");
    const versions = listAt(item, "versions").map((served) => {
      const version = stringAt(served, "version", "");
      const resources = listAt(served, "resources").map((entry) => aggregatedResource(group, version, entry));
      return { version, resources: resources.filter(({ kind }) => kind !== ""), stale: served["freshness"] === "Stale" };
    });
    return { group, versions };
  });
}

function aggregatedResource(group: string, version: string, entry: Fields): Resource {
  return {
    group,
    version,
    kind: stringAt(entry, "responseKind.kind", ""),
    plural: stringAt(entry, "resource", ""),
    singular: stringAt(entry, "singularResource", ""),
    namespaced: stringAt(entry, "scope") === "Namespaced",
    verbs: stringsAt(entry, "verbs"),
    shortNames: stringsAt(entry, "shortNames"),
    categories: stringsAt(entry, "categories"),
    subresources: listAt(entry, "subresources").map((sub) => stringAt(sub, "subresource", "")),
  };
}

/** Reads an APIResourceList, which lists subresources beside their resources (`deployments/status`). */
export function readResourceList(document: unknown): readonly Resource[] {
  const { group, version } = groupVersionOf(stringAt(document, "groupVersion", ""));
  const entries = listAt(document, "resources");
  const subresources = new Map<string, string[]>();
  for (const entry of entries) {
    const [name = "", sub] = stringAt(entry, "name", "").split("/");
    if (sub !== undefined) subresources.set(name, [...(subresources.get(name) ?? []), sub]);
  }
  return entries
    .filter((entry) => !stringAt(entry, "name", "").includes("/"))
    .map((entry) => {
      const plural = stringAt(entry, "name", "");
      return {
        group,
        version,
        kind: stringAt(entry, "kind", ""),
        plural,
        singular: stringAt(entry, "singularName", ""),
        namespaced: valueAt(entry, "namespaced") === true,
        verbs: stringsAt(entry, "verbs"),
        shortNames: stringsAt(entry, "shortNames"),
        categories: stringsAt(entry, "categories"),
        subresources: subresources.get(plural) ?? [],
      };
    });
}

/** The groups of an APIGroupList and their versions, the preferred one first. */
export function readGroupList(document: unknown): readonly { group: string; versions: readonly string[] }[] {
  return listAt(document, "groups").map((entry) => {
    const preferred = stringAt(entry, "preferredVersion.version");
    const versions = listAt(entry, "versions").map((served) => stringAt(served, "version", ""));
    const others = versions.filter((version) => version !== preferred);
    return { group: stringAt(entry, "name", ""), versions: preferred === undefined ? others : [preferred, ...others] };
  });
}
