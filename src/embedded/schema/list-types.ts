import { isFields, type Fields } from "../../core/object/index.ts";
import { fieldDuplicate, fieldInvalid, type FieldError } from "../field-error.ts";
import { childPath, itemPath, keyPath } from "./error-path.ts";
import type { JsonSchemaProps } from "./json-schema-props.ts";
import { sortKeys } from "./sort-keys.ts";

/** Validates that sets and maps among the lists have no duplicates. Models apiextensions pkg/apiserver/schema/listtype/validation.go */
export function validateListTypes(value: unknown, schema: JsonSchemaProps | undefined, path = ""): readonly FieldError[] {
  if (schema === undefined) return [];
  if (Array.isArray(value)) {
    const below = value.flatMap((item, index) => validateListTypes(item, schema.items, itemPath(path, index)));
    return [...checkList(value, schema, path), ...below];
  }
  if (!isFields(value)) return [];
  const { properties = {}, additionalProperties } = schema;
  return Object.entries(value).flatMap(([name, child]) => [
    ...(typeof additionalProperties === "object" ? validateListTypes(child, additionalProperties, keyPath(path, name)) : []),
    ...(Object.hasOwn(properties, name) ? validateListTypes(child, properties[name], childPath(path, name)) : []),
  ]);
}

function checkList(list: readonly unknown[], schema: JsonSchemaProps, path: string): readonly FieldError[] {
  switch (schema["x-kubernetes-list-type"]) {
    case "set":
      return repeated(list).map((index) => fieldDuplicate(itemPath(path, index), sortKeys(list[index])));
    case "map":
      return checkMap(list, schema["x-kubernetes-list-map-keys"] ?? [], path);
    default:
      return [];
  }
}

function checkMap(list: readonly unknown[], names: readonly string[], path: string): readonly FieldError[] {
  const invalidIndex = list.findIndex((item) => item !== null && !isFields(item));
  if (invalidIndex >= 0)
    return [fieldInvalid(itemPath(path, invalidIndex), list[invalidIndex], "must be an object for an array of list-type map")];
  const keys = list.map((item) => keyOf(isFields(item) ? item : {}, names));
  return repeated(keys).map((index) => fieldDuplicate(itemPath(path, index), sortKeys(keys[index])));
}

function keyOf(item: Fields, names: readonly string[]): Fields {
  const given = names.filter((name) => Object.hasOwn(item, name));
  return Object.fromEntries(given.map((name) => [name, item[name]]));
}

/** The indexes of second occurrences; further ones are not reported. */
function repeated(list: readonly unknown[]): readonly number[] {
  const times = new Map<string, number>();
  return list.flatMap((item, index) => {
    const key = JSON.stringify(sortKeys(item));
    const seen = (times.get(key) ?? 0) + 1;
    times.set(key, seen);
    return seen === 2 ? [index] : [];
  });
}
