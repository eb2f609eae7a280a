import { isFields, type Fields } from "../../core/object/index.ts";
import type { JsonSchemaProps } from "./json-schema-props.ts";

/** A value without its unknown fields, and the paths of those (`spec.ports[0].bogus`). */
export type Pruned<T = unknown> = { readonly value: T; readonly unknown: readonly string[] };

const metaFields: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/**
 * How objects without declared properties are pruned: emptied (structural schemas) or kept (schemas of built-in kinds);
 * and the schema of metadata, if it is pruned too.
 */
type PruneOptions = {
  readonly free: boolean;
  readonly unknown: string[];
  readonly metadata?: JsonSchemaProps | undefined;
  readonly inMetadata?: string[];
};

/**
 * Prunes a custom resource by its structural schema. `apiVersion` and `kind` of the resource and of embedded resources
 * stay, and so does `metadata` unless its schema is given. Paths are sorted, those in metadata first.
 *
 * Models apiextensions pkg/apiserver/schema/pruning/algorithm.go, objectmeta/algorithm.go
 */
export function pruneUnknownFields<T>(
  value: T,
  schema: JsonSchemaProps,
  options: { readonly metadata?: JsonSchemaProps | undefined } = {},
): Pruned<T> {
  const manner: PruneOptions = { free: false, unknown: [], metadata: options.metadata, inMetadata: [] };
  const pruned = pruneNode(value, { ...schema, "x-kubernetes-embedded-resource": true }, "", manner) as T;
  return { value: pruned, unknown: [...(manner.inMetadata ?? []), ...manner.unknown.toSorted()] };
}

/** Prunes the metadata of a resource, if its schema is given. */
function pruneMeta(name: string, value: unknown, path: string, { metadata, inMetadata = [] }: PruneOptions): unknown {
  if (name !== "metadata" || metadata === undefined) return value;
  return pruneNode(value, metadata, path, { free: true, unknown: inMetadata });
}

/** Drops the fields of a built-in kind that Go's decoder does not know. Paths are in the value's order. */
export function pruneTyped<T>(value: T, schema: JsonSchemaProps): Pruned<T> {
  const manner: PruneOptions = { free: true, unknown: [] };
  return { value: pruneNode(value, schema, "", manner) as T, unknown: manner.unknown };
}

/** The paths of fields that the schema of a built-in kind does not know, for strict field validation. */
export function unknownFields(value: unknown, schema: JsonSchemaProps): readonly string[] {
  return pruneTyped(value, schema).unknown;
}

function pruneNode(value: unknown, schema: JsonSchemaProps | undefined, path: string, manner: PruneOptions): unknown {
  if (schema?.["x-kubernetes-preserve-unknown-fields"] === true) return keepUnknown(value, schema, path, manner);
  if (Array.isArray(value)) return mapItems(value, (item, index) => pruneNode(item, schema?.items, `${path}[${index}]`, manner));
  if (!isFields(value) || (manner.free && isFree(schema))) return value;
  return mapFields(value, (name, child) => {
    const at = join(path, name);
    if (schema?.["x-kubernetes-embedded-resource"] === true && metaFields.has(name)) return pruneMeta(name, child, at, manner);
    const known = fieldSchema(schema, name);
    if (known !== undefined) return pruneNode(child, known.schema, at, manner);
    manner.unknown.push(at);
    return undefined;
  });
}

/** Below a node that preserves unknown fields, known ones are still pruned. */
function keepUnknown(value: unknown, schema: JsonSchemaProps | undefined, path: string, manner: PruneOptions): unknown {
  if (schema === undefined) return value;
  if (Array.isArray(value)) return mapItems(value, (item, index) => keepUnknown(item, schema.items, `${path}[${index}]`, manner));
  if (!isFields(value)) return value;
  return mapFields(value, (name, child) => {
    const at = join(path, name);
    if (schema["x-kubernetes-embedded-resource"] === true && metaFields.has(name)) return pruneMeta(name, child, at, manner);
    const known = fieldSchema(schema, name);
    return known === undefined ? child : pruneNode(child, known.schema, at, manner);
  });
}

function isFree(schema: JsonSchemaProps | undefined): boolean {
  return schema === undefined || (schema.properties === undefined && schema.additionalProperties === undefined);
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** The schema of a field, or undefined when the field is unknown. `additionalProperties: true` accepts every field without a schema. */
export function fieldSchema(
  schema: JsonSchemaProps | undefined,
  name: string,
): { readonly schema: JsonSchemaProps | undefined } | undefined {
  const { properties, additionalProperties } = schema ?? {};
  if (properties !== undefined && Object.hasOwn(properties, name)) return { schema: properties[name] };
  if (additionalProperties === undefined) return undefined;
  return { schema: typeof additionalProperties === "object" ? additionalProperties : undefined };
}

/** The same object when nothing changes; a field whose new value is undefined is removed. */
export function mapFields(value: Fields, change: (name: string, child: unknown) => unknown): Fields {
  let changed: Record<string, unknown> | undefined;
  for (const [name, child] of Object.entries(value)) {
    const next = change(name, child);
    if (next === child) continue;
    changed ??= { ...value };
    if (next === undefined) delete changed[name];
    else changed[name] = next;
  }
  return changed ?? value;
}

/** The same list when nothing changes. */
export function mapItems(value: readonly unknown[], change: (item: unknown, index: number) => unknown): readonly unknown[] {
  const changed = value.map(change);
  return changed.some((item, index) => item !== value[index]) ? changed : value;
}
