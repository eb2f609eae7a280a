import { apiVersionOf, type GroupVersionKind } from "../core/object/index.ts";
import { Fault } from "../core/fault/index.ts";

/** A kind as a server serves it: its path, scope, verbs and subresources. */
export type Resource = GroupVersionKind & {
  /** The plural in paths: `deployments`. */
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** `status`, `scale`, `log`… */
  readonly subresources: readonly string[];
};

/** A discovered resource, or a kind to be looked up in discovery. */
export type KindOrResource = Resource | GroupVersionKind;

/** One object. An empty `namespace` means the cluster's default namespace for a namespaced kind. */
export type ObjectLocation = KindOrResource & { readonly namespace: string; readonly name: string };

export function isResource(target: KindOrResource): target is Resource {
  return "plural" in target;
}

export function hasStatus(resource: Resource): boolean {
  return resource.subresources.includes("status");
}

/** `deployments.apps`, or `pods` in the core group, as in the server's messages. */
export function groupResourceOf({ group, plural }: Pick<Resource, "group" | "plural">): string {
  return group === "" ? plural : `${plural}.${group}`;
}

/** The path of a group and version: `/api/v1`, `/apis/apps/v1`. */
export function groupPath({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** The path of a collection or, with a `name`, of one object. An empty `namespace` means all namespaces. */
export function pathOf(resource: Resource, namespace: string, name = "", subresource = ""): string {
  let path = groupPath(resource);
  if (resource.namespaced && namespace !== "") path += `/namespaces/${encodeURIComponent(namespace)}`;
  path += `/${resource.plural}`;
  if (name !== "") path += `/${encodeURIComponent(name)}`;
  if (subresource !== "") path += `/${subresource}`;
  return path;
}

/** Adds a query to a path. Undefined, false and empty values are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | boolean | undefined>>): string {
  let text = "";
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === false || value === "") continue;
    text += `${text === "" ? "?" : "&"}${name}=${encodeURIComponent(value)}`;
  }
  return path + text;
}

/** The server does not serve this kind: a CustomResourceDefinition may be missing, or the version is not served. */
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
