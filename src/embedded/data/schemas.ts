import { apiVersionOf, type GroupVersionKind } from "../../core/object/index.ts";
import type { JsonSchemaProps } from "../schema/index.ts";
import { once, readEntries } from "./packed-file.ts";

/** A schema while it is being linked; afterwards it is not written to. */
type OpenSchema = { -readonly [Keyword in keyof JsonSchemaProps]: JsonSchemaProps[Keyword] };

const source = once(() => {
  const { index, pieces } = readEntries("schemas.br");
  return { kinds: index as Readonly<Record<string, string>>, pieces };
});

const linked = new Map<string, OpenSchema>();

/** The schema name of a built-in kind: `io.k8s.api.apps.v1.Deployment`. */
export function schemaNameOf(kind: GroupVersionKind): string | undefined {
  const { kinds } = source();
  const key = `${apiVersionOf(kind)}/${kind.kind}`;
  return Object.hasOwn(kinds, key) ? kinds[key] : undefined;
}

/** The schema of a built-in kind, as `schemaNamed`. */
export function schemaOf(kind: GroupVersionKind): JsonSchemaProps | undefined {
  const name = schemaNameOf(kind);
  return name === undefined ? undefined : schemaNamed(name);
}

/** The schema of this name, linked: its references are resolved. */
export function schemaNamed(name: string): JsonSchemaProps | undefined {
  return linked.get(name) ?? link(name);
}

function link(name: string): OpenSchema | undefined {
  const text = source().pieces.get(name);
  if (text === undefined) return undefined;
  const schema = JSON.parse(text) as OpenSchema;
  schema.definition = name;
  // Registered before its parts are linked: schemas may refer to themselves.
  linked.set(name, schema);
  linkParts(schema);
  return schema;
}

function linkNode(node: OpenSchema): void {
  if (node.$ref === undefined) return linkParts(node);
  const target = linked.get(node.$ref) ?? link(node.$ref);
  delete node.$ref;
  // Keywords beside a reference (a default, a patch strategy) override those of the referenced schema.
  Object.assign(node, { ...target, ...node });
}

function linkParts(node: OpenSchema): void {
  for (const child of Object.values(node.properties ?? {})) linkNode(child);
  if (node.items !== undefined) linkNode(node.items);
  if (typeof node.additionalProperties === "object") linkNode(node.additionalProperties);
}
