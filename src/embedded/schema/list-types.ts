import { isFields, jsonText, type Fields } from "../../core/object/index.ts";
import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";
import { fieldDuplicate, fieldInvalid, type FieldError } from "../field-error.ts";
import { childPath, itemPath, keyPath } from "./error-path.ts";
import type { JsonSchemaProps } from "./json-schema-props.ts";
import { sortKeys } from "./sort-keys.ts";

/** Validates that sets and maps among the lists have no duplicates. Models apiextensions pkg/apiserver/schema/listtype/validation.go */
export function validateListTypes(value: unknown, schema: JsonSchemaProps | undefined): readonly FieldError[] {
  const found: FieldError[] = [];
  runNested(checkValue(value, schema, "", found));
  return found;
}

function* checkValue(value: unknown, schema: JsonSchemaProps | undefined, path: string, found: FieldError[]): Nested<void> {
  if (schema === undefined || typeof value !== "object") return;
  if (Array.isArray(value)) {
    for (const error of checkList(value, schema, path)) found.push(error);
    for (const [index, item] of value.entries()) yield* callNested(checkValue(item, schema.items, itemPath(path, index), found));
    return;
  }
  if (!isFields(value)) return;
  const { properties = {}, additionalProperties } = schema;
  for (const [name, child] of Object.entries(value)) {
    if (typeof additionalProperties === "object") yield* callNested(checkValue(child, additionalProperties, keyPath(path, name), found));
    if (Object.hasOwn(properties, name)) yield* callNested(checkValue(child, properties[name], childPath(path, name), found));
  }
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
    const key = jsonText(sortKeys(item));
    const seen = (times.get(key) ?? 0) + 1;
    times.set(key, seen);
    return seen === 2 ? [index] : [];
  });
}
