import { isDeepStrictEqual } from "node:util";
import { isFields, type Fields } from "../../core/object/index.ts";
import { fieldSchema } from "./prune-unknown-fields.ts";
import type { JsonSchemaProps } from "./json-schema-props.ts";

/** The previous value of a field or item, where the schema can correlate it. */
export type CorrelatedValue = { readonly value: unknown };

/** The previous value of a field; undefined when the field is new or unknown to the schema. Models apiserver pkg/cel/common/equality.go */
export function correlatedField(
  correlated: CorrelatedValue | undefined,
  schema: JsonSchemaProps,
  name: string,
): CorrelatedValue | undefined {
  if (correlated === undefined || !isFields(correlated.value) || !Object.hasOwn(correlated.value, name)) return undefined;
  return fieldSchema(schema, name)?.schema === undefined ? undefined : { value: correlated.value[name] };
}

/** The previous value of a list item: only lists of type map can be correlated. */
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

/** The key of an item of a list of type map, with the defaults of absent key fields. */
function keyOf(item: unknown, keys: readonly string[], schema: JsonSchemaProps): string | undefined {
  if (!isFields(item)) return undefined;
  return JSON.stringify(keys.map((key) => item[key] ?? schema.items?.properties?.[key]?.default ?? null));
}

/** Whether a value is unchanged. Items of a list of type map may be reordered; values with unknown fields count as changed. */
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
