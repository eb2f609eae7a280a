import { apiVersionOf, type GroupVersionKind } from "../core/object/index.ts";
import { Fault } from "../core/fault/index.ts";

/** A kind as a server serves it: where its objects are found and what can be done with them. */
export type Resource = GroupVersionKind & {
  /** The plural, as it stands in paths: `deployments`. */
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** `status`, `scale`, `log`… A kind that has a status of its own has `status` here. */
  readonly subresources: readonly string[];
};

/** What a verb can be pointed at: a resource that discovery gave, or a kind that is looked up there. */
export type KindOrResource = Resource | GroupVersionKind;

/** One object. With an empty `namespace`, one of a kind that has namespaces is looked for in the cluster's default one. */
export type ObjectLocation = KindOrResource & { readonly namespace: string; readonly name: string };

export function isResource(target: KindOrResource): target is Resource {
  return "plural" in target;
}

export function hasStatus(resource: Resource): boolean {
  return resource.subresources.includes("status");
}

/** `deployments.apps`, or `pods` in the core group: how the server's own messages name it. */
export function groupResourceOf({ group, plural }: Pick<Resource, "group" | "plural">): string {
  return group === "" ? plural : `${plural}.${group}`;
}

/** The path of a group and version: `/api/v1`, `/apis/apps/v1`. */
export function groupPath({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** The path of a collection, or with a `name` of one object of it. An empty `namespace` means all of them. */
export function pathOf(resource: Resource, namespace: string, name = "", subresource = ""): string {
  let path = groupPath(resource);
  if (resource.namespaced && namespace !== "") path += `/namespaces/${encodeURIComponent(namespace)}`;
  path += `/${resource.plural}`;
  if (name !== "") path += `/${encodeURIComponent(name)}`;
  if (subresource !== "") path += `/${subresource}`;
  return path;
}

/** Adds the query to a path; what is undefined, false or empty is left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | boolean | undefined>>): string {
  let text = "";
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === false || value === "") continue;
    text += `${text === "" ? "?" : "&"}${name}=${encodeURIComponent(value)}`;
  }
  return path + text;
}

/** The server does not serve this kind (yet): a CustomResourceDefinition may be missing, or the version is not served. */
export class UnknownKind extends Fault {
  readonly gvk: GroupVersionKind;

  constructor(gvk: GroupVersionKind) {
    const wanted = `${apiVersionOf(gvk)} ${gvk.kind}`;
    super(`the server knows no kind ${wanted}: check the spelling, or install the CustomResourceDefinition that defines it first`);
    this.name = "UnknownKind";
    this.gvk = gvk;
  }
}

export function isUnknownKind(error: unknown): error is UnknownKind {
  return error instanceof UnknownKind;
}
