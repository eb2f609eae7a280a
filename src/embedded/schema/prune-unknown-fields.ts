import { changeNested, type NestedChange } from "./change-nested.ts";
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

/** Drops the fields of a built-in kind that Go's decoder does not know. Paths are in the value's order. */
export function pruneTyped<T>(value: T, schema: JsonSchemaProps): Pruned<T> {
  const manner: PruneOptions = { free: true, unknown: [] };
  return { value: pruneNode(value, schema, "", manner) as T, unknown: manner.unknown };
}

/** The paths of fields that the schema of a built-in kind does not know, for strict field validation. */
export function unknownFields(value: unknown, schema: JsonSchemaProps): readonly string[] {
  return pruneTyped(value, schema).unknown;
}

/** The place of a value that is being pruned. Where unknown fields are kept, known ones below are still pruned. */
type Place = {
  readonly schema: JsonSchemaProps | undefined;
  readonly path: string;
  readonly manner: PruneOptions;
  readonly keepsUnknown: boolean;
};

function pruneNode(value: unknown, schema: JsonSchemaProps | undefined, path: string, manner: PruneOptions): unknown {
  const place = placeFor(value, schema, path, manner);
  return place === undefined ? value : changeNested(value, place, prunedChild);
}

/** The place of a value; undefined when nothing in it is pruned. */
function placeFor(
  value: unknown,
  schema: JsonSchemaProps | undefined,
  path: string,
  manner: PruneOptions,
  isKept = false,
): Place | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const keepsUnknown = isKept || schema?.["x-kubernetes-preserve-unknown-fields"] === true;
  if (keepsUnknown ? schema === undefined : manner.free && isFree(schema) && !Array.isArray(value)) return undefined;
  return { schema, path, manner, keepsUnknown };
}

function prunedChild(child: unknown, key: string | number, { schema, path, manner, keepsUnknown }: Place): NestedChange<Place> {
  if (typeof key === "number") return { value: child, place: placeFor(child, schema?.items, `${path}[${key}]`, manner, keepsUnknown) };
  const at = join(path, key);
  if (schema?.["x-kubernetes-embedded-resource"] === true && metaFields.has(key)) return prunedMeta(key, child, at, manner);
  const known = fieldSchema(schema, key);
  if (known !== undefined) return { value: child, place: placeFor(child, known.schema, at, manner) };
  if (keepsUnknown) return { value: child };
  manner.unknown.push(at);
  return undefined;
}

/** Prunes the metadata of a resource, if its schema is given. */
function prunedMeta(name: string, value: unknown, path: string, { metadata, inMetadata = [] }: PruneOptions): NestedChange<Place> {
  if (name !== "metadata" || metadata === undefined) return { value };
  return { value, place: placeFor(value, metadata, path, { free: true, unknown: inMetadata }) };
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
