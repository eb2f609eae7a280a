import { fieldForbidden, fieldInvalid, fieldRequired, type FieldError } from "../field-error.ts";
import { childPath, keyPath, type JsonSchemaProps } from "../schema/index.ts";

/** Validates the keys of lists of type map. Models apiextensions pkg/apis/apiextensions/validation/validation.go */
export function checkListMapKeys(schema: JsonSchemaProps, path: string): readonly FieldError[] {
  const listType: string | undefined = schema["x-kubernetes-list-type"];
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const at = childPath(path, "x-kubernetes-list-type");
  const why = "must be map if x-kubernetes-list-map-keys is non-empty";
  if (listType === "map") return [...checkMap(schema, keys, path), ...checkMembers(schema, keys, path)];
  if (keys.length === 0) return checkNullable(schema, path);
  return [listType === undefined ? fieldRequired(at, why) : fieldInvalid(at, listType, why), ...checkNullable(schema, path)];
}

function checkMap({ items }: JsonSchemaProps, keys: readonly string[], path: string): readonly FieldError[] {
  const found: FieldError[] = [];
  if (keys.length === 0) {
    found.push(fieldRequired(childPath(path, "x-kubernetes-list-map-keys"), "must not be empty if x-kubernetes-list-type is map"));
  }
  const at = childPath(path, "items");
  if (items === undefined) return [...found, fieldRequired(at, "must have a schema if x-kubernetes-list-type is map")];
  if (items.type === "object") return [...found, ...checkKeys(items, keys, path)];
  return [
    ...found,
    fieldInvalid(childPath(at, "type"), items.type ?? "", "must be object if parent array's x-kubernetes-list-type is map"),
  ];
}

function checkKeys(items: JsonSchemaProps, keys: readonly string[], path: string): readonly FieldError[] {
  const at = childPath(path, "x-kubernetes-list-map-keys");
  return keys.flatMap((key, index) => {
    const found: FieldError[] = [];
    const property = items.properties?.[key];
    if (property === undefined) found.push(fieldInvalid(at, keys, "entries must all be names of item properties"));
    else if (property.type === "array" || property.type === "object") {
      const why = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      found.push(fieldInvalid(childPath(propertyOf(path, key), "type"), items.type, why));
    }
    if (keys.indexOf(key) < index) found.push(fieldInvalid(at, keys, "must not contain duplicate entries"));
    return found;
  });
}

function propertyOf(path: string, key: string): string {
  return keyPath(childPath(childPath(path, "items"), "properties"), key);
}

/** Items are identified by their keys, so each item must have all of them. */
function checkMembers(schema: JsonSchemaProps, keys: readonly string[], path: string): readonly FieldError[] {
  const { items } = schema;
  const perKey = keys.flatMap((key) => {
    const property = items?.properties?.[key];
    if (items === undefined || property === undefined) return [];
    const isThere = (items.required ?? []).includes(key) || (property.default !== undefined && property.default !== null);
    const missing = "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property";
    const nullable = "this property is in x-kubernetes-list-map-keys, so it cannot be nullable";
    return [
      ...(isThere ? [] : [fieldRequired(childPath(propertyOf(path, key), "default"), missing)]),
      ...(property.nullable === true ? [fieldForbidden(childPath(propertyOf(path, key), "nullable"), nullable)] : []),
    ];
  });
  return [...checkNullable(schema, path), ...perKey];
}

function checkNullable(schema: JsonSchemaProps, path: string): readonly FieldError[] {
  const listType = schema["x-kubernetes-list-type"];
  if ((listType !== "set" && listType !== "map") || schema.items?.nullable !== true) return [];
  const at = childPath(childPath(path, "items"), "nullable");
  return [fieldForbidden(at, `cannot be nullable when x-kubernetes-list-type is ${listType}`)];
}
