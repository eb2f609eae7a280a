import type { RoleSource } from "../../tenant/index.ts";
import type { RoleRequest } from "../../api/index.ts";
import { mapAt, type KubeObject } from "../../../core/object/index.ts";
import { configMapKind, secretKind, type ControllerContext } from "../context/index.ts";

/** What the `roleRefs` of a RoleRequest name: their content, and what is missing. */
type RoleContent = { readonly sources: readonly RoleSource[]; readonly missing: readonly string[] };

/** Reads the roleRefs of a RoleRequest for a cluster in this namespace. What is missing grants nothing. */
export function roleContentOf({ roleRefs }: RoleRequest, clusterNamespace: string, { cache }: ControllerContext): RoleContent {
  const sources: RoleSource[] = [];
  const missing: string[] = [];
  for (const { kind, name, namespace } of roleRefs) {
    const place = namespace === "" ? clusterNamespace : namespace;
    const title = `${kind} ${place}/${name}`;
    const object = cache.find(kind === "Secret" ? secretKind : configMapKind, place, name);
    if (object === undefined) missing.push(title);
    else sources.push(...contentOf(object, title));
  }
  return { sources, missing };
}

/** Whether a RoleRequest refers to this ConfigMap or Secret, for some cluster. */
export function refersTo({ roleRefs }: RoleRequest, { kind, metadata: { namespace = "", name } }: KubeObject): boolean {
  return roleRefs.some((ref) => ref.kind === kind && ref.name === name && (ref.namespace === "" || ref.namespace === namespace));
}

function contentOf(object: KubeObject, title: string): readonly RoleSource[] {
  const decoded = object.kind === "Secret" ? (text: string) => Buffer.from(text, "base64").toString("utf8") : (text: string) => text;
  return Object.entries(mapAt(object, "data"))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, text]) => ({ source: `${title}, ${key}`, text: decoded(text) }));
}
