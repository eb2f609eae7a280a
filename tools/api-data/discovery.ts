import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ApiGroup, ApiResource } from "../../src/embedded/data/index.ts";
import { isServed } from "./served.ts";

type GroupList = { readonly groups: readonly { readonly name: string; readonly versions: readonly { readonly version: string }[] }[] };
type ResourceList = { readonly resources: readonly ApiResource[] };

/** The order of the fields of APIResource, which the published documents sort. */
const order = ["name", "singularName", "namespaced", "group", "version", "kind", "verbs", "shortNames", "categories", "storageVersionHash"];

function inServerOrder(resource: ApiResource): ApiResource {
  const places = new Map(order.map((name, place) => [name, place]));
  const placeOf = (name: string) => places.get(name) ?? order.length;
  return Object.fromEntries(Object.entries(resource).toSorted(([a], [b]) => placeOf(a) - placeOf(b))) as ApiResource;
}

/** The API groups as the API server lists them by itself, the core group first, with the resources of each served version. */
export function discoveryOf(kubernetes: string): ApiGroup[] {
  const folder = join(kubernetes, "api/discovery");
  const read = <T>(name: string): T => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as T;
  const resourcesOf = (name: string) => read<ResourceList>(name).resources.map(inServerOrder);
  const core: ApiGroup = { name: "", versions: [{ version: "v1", resources: resourcesOf("api__v1") }] };
  const named = read<GroupList>("apis").groups.map(({ name, versions }): ApiGroup => {
    const served = versions.map(({ version }) => version).filter(isServed);
    return { name, versions: served.map((version) => ({ version, resources: resourcesOf(`apis__${name}__${version}`) })) };
  });
  return [core, ...named.filter((group) => group.versions.length > 0)];
}
