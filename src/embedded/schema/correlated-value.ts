import { isDeepStrictEqual } from "node:util";
import { isFields, type Fields } from "../../core/object/index.ts";
import { fieldSchema } from "./prune-unknown-fields.ts";
import type { JsonSchemaProps } from "./json-schema-props.ts";

/** What a value was before, where the schema says which earlier value it goes on from. */
export type CorrelatedValue = { readonly value: unknown };

/** The earlier value of a field; undefined when the field is new, or unknown to the schema. Models apiserver pkg/cel/common/equality.go */
export function correlatedField(
  correlated: CorrelatedValue | undefined,
  schema: JsonSchemaProps,
  name: string,
): CorrelatedValue | undefined {
  if (correlated === undefined || !isFields(correlated.value) || !Object.hasOwn(correlated.value, name)) return undefined;
  return fieldSchema(schema, name)?.schema === undefined ? undefined : { value: correlated.value[name] };
}

/** The earlier value of a member of a list: only lists of type map say which member is which. */
export function correlatedItem(
  correlated: CorrelatedValue | undefined,
  schema: JsonSchemaProps,
  item: unknown,
): CorrelatedValue | undefined {
  if (correlated === undefined || !Array.isArray(correlated.value) || schema["x-kubernetes-list-type"] !== "map") return undefined;
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const wanted = keyOf(item, keys, schema);
  if (wanted === undefined) return undefined;
  const found = correlated.value.find((candidate) => keyOf(candidate, keys, schema) === wanted);
  return found === undefined ? undefined : { value: found };
}

/** What tells a member of a list of type map apart from the others, with the defaults of keys that are left out. */
function keyOf(item: unknown, keys: readonly string[], schema: JsonSchemaProps): string | undefined {
  if (!isFields(item)) return undefined;
  return JSON.stringify(keys.map((key) => item[key] ?? schema.items?.properties?.[key]?.default ?? null));
}

/**
 * Tells whether a value is still what it was. Members of a list of type map may have changed places; of fields that the
 * schema does not know nothing can be told, so what has such fields counts as changed.
 */
export function isUnchanged(value: unknown, correlated: CorrelatedValue | undefined, schema: JsonSchemaProps): boolean {
  if (correlated === undefined) return false;
  const { value: old } = correlated;
  if (Array.isArray(value) && Array.isArray(old) && schema["x-kubernetes-list-type"] === "map" && schema.items !== undefined) {
    const { items } = schema;
    return value.length === old.length && value.every((item) => isUnchanged(item, correlatedItem(correlated, schema, item), items));
  }
  if (!isFields(value) || !isFields(old)) return isDeepStrictEqual(value, old);
  const names = Object.keys(value);
  return names.length === Object.keys(old).length && names.every((name) => isFieldUnchanged(value, correlated, schema, name));
}

function isFieldUnchanged(value: Fields, correlated: CorrelatedValue, schema: JsonSchemaProps, name: string): boolean {
  const known = fieldSchema(schema, name)?.schema;
  return known !== undefined && isUnchanged(value[name], correlatedField(correlated, schema, name), known);
}
