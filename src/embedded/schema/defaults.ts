import { isFields } from "../../core/object/index.ts";
import { fieldSchema, mapFields, mapItems } from "./prune-unknown-fields.ts";
import type { JsonSchemaProps } from "./json-schema-props.ts";

/**
 * Applies the defaults of a structural schema, also inside of defaults. A null becomes the default unless the field is
 * nullable.
 *
 * Models apiextensions pkg/apiserver/schema/defaulting/algorithm.go
 */
export function applyDefaults<T>(value: T, schema: JsonSchemaProps | undefined): T {
  return defaulted(value, schema) as T;
}

function defaulted(value: unknown, schema: JsonSchemaProps | undefined): unknown {
  if (schema === undefined) return value;
  if (Array.isArray(value)) return mapItems(value, (item) => defaulted(unlessNull(item, schema.items), schema.items));
  if (!isFields(value)) return value;
  const missing = Object.entries(schema.properties ?? {}).filter(([name, property]) => {
    return hasDefault(property) && (!Object.hasOwn(value, name) || isUnwantedNull(value[name], property));
  });
  const filled = missing.length === 0 ? value : { ...value, ...Object.fromEntries(missing.map(([name, child]) => [name, child.default])) };
  return mapFields(filled, (name, child) => {
    const known = fieldSchema(schema, name)?.schema;
    const isNamed = schema.properties !== undefined && Object.hasOwn(schema.properties, name);
    return defaulted(isNamed ? child : unlessNull(child, known), known);
  });
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
  return withoutNulls(value, schema) as T;
}

function withoutNulls(value: unknown, schema: JsonSchemaProps | undefined): unknown {
  if (Array.isArray(value)) return mapItems(value, (item) => withoutNulls(item, schema?.items));
  if (!isFields(value)) return value;
  return mapFields(value, (name, child) => {
    const known = fieldSchema(schema, name)?.schema;
    return isUnwantedNull(child, known) && known !== undefined && !hasDefault(known) ? undefined : withoutNulls(child, known);
  });
}
