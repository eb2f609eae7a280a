import { equal, isFields, jsonText } from "../../core/object/index.ts";
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
  return jsonText(keys.map((key) => item[key] ?? schema.items?.properties?.[key]?.default ?? null));
}

/** Whether a value is unchanged. Items of a list of type map may be reordered; values with unknown fields count as changed. */
export function isUnchanged(value: unknown, correlated: CorrelatedValue | undefined, schema: JsonSchemaProps): boolean {
  const pending: Compared[] = [{ value, correlated, schema }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) if (!isAlike(next, pending)) return false;
  return true;
}

/** A value, and what it was before. */
type Compared = { readonly value: unknown; readonly correlated: CorrelatedValue | undefined; readonly schema: JsonSchemaProps };

/** Whether a value is unchanged but for what it contains, which is pending. */
function isAlike({ value, correlated, schema }: Compared, pending: Compared[]): boolean {
  if (correlated === undefined) return false;
  const { value: old } = correlated;
  if (Array.isArray(value) && Array.isArray(old) && schema["x-kubernetes-list-type"] === "map" && schema.items !== undefined) {
    for (const item of value) pending.push({ value: item, correlated: correlatedItem(correlated, schema, item), schema: schema.items });
    return value.length === old.length;
  }
  if (!isFields(value) || !isFields(old)) return equal(value, old);
  const names = Object.keys(value);
  for (const name of names) {
    const known = fieldSchema(schema, name)?.schema;
    if (known === undefined) return false;
    pending.push({ value: value[name], correlated: correlatedField(correlated, schema, name), schema: known });
  }
  return names.length === Object.keys(old).length;
}
