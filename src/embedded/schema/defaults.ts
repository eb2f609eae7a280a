import { isFields } from "../../core/object/index.ts";
import { changeNested, type NestedChange } from "./change-nested.ts";
import { fieldSchema } from "./prune-unknown-fields.ts";
import type { JsonSchemaProps } from "./json-schema-props.ts";

/**
 * Applies the defaults of a structural schema, also inside of defaults. A null becomes the default unless the field is
 * nullable.
 *
 * Models apiextensions pkg/apiserver/schema/defaulting/algorithm.go
 */
export function applyDefaults<T>(value: T, schema: JsonSchemaProps | undefined): T {
  const { value: filled, place } = filledAt(value, schema);
  return (place === undefined ? filled : changeNested(filled, place, defaultedChild)) as T;
}

/** The value with the defaults of its own fields, and its schema where there may be others below. */
function filledAt(value: unknown, schema: JsonSchemaProps | undefined): { readonly value: unknown; readonly place?: JsonSchemaProps } {
  if (schema === undefined || typeof value !== "object" || value === null) return { value };
  if (!isFields(value)) return { value, place: schema };
  const missing = Object.entries(schema.properties ?? {}).filter(([name, property]) => {
    return hasDefault(property) && (!Object.hasOwn(value, name) || isUnwantedNull(value[name], property));
  });
  if (missing.length === 0) return { value, place: schema };
  return { value: { ...value, ...Object.fromEntries(missing.map(([name, child]) => [name, child.default])) }, place: schema };
}

function defaultedChild(child: unknown, key: string | number, schema: JsonSchemaProps): NestedChange<JsonSchemaProps> {
  if (typeof key === "number") return filledAt(unlessNull(child, schema.items), schema.items);
  const known = fieldSchema(schema, key)?.schema;
  const isNamed = schema.properties !== undefined && Object.hasOwn(schema.properties, key);
  return filledAt(isNamed ? child : unlessNull(child, known), known);
}

/** The value; or, for a null that is not allowed, the default, or null without one. */
function unlessNull(value: unknown, schema: JsonSchemaProps | undefined): unknown {
  return isUnwantedNull(value, schema) ? (schema?.default ?? null) : value;
}

function isUnwantedNull(value: unknown, schema: JsonSchemaProps | undefined): boolean {
  return value === null && schema !== undefined && schema.nullable !== true;
}

function hasDefault(schema: JsonSchemaProps): boolean {
  return schema.default !== undefined && schema.default !== null;
}

/**
 * Drops nulls of fields that are neither nullable nor have a default. Runs before the defaults are applied.
 *
 * Models apiextensions pkg/apiserver/schema/defaulting/prunenulls.go
 */
export function dropNulls<T>(value: T, schema: JsonSchemaProps | undefined): T {
  return (schema === undefined ? value : changeNested(value, schema, withoutNull)) as T;
}

/** Nothing is dropped where there is no schema. */
function withoutNull(child: unknown, key: string | number, schema: JsonSchemaProps): NestedChange<JsonSchemaProps> {
  const place = typeof key === "number" ? schema.items : fieldSchema(schema, key)?.schema;
  if (typeof key === "string" && place !== undefined && isUnwantedNull(child, place) && !hasDefault(place)) return undefined;
  return { value: child, place };
}
