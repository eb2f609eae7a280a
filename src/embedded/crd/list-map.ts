import { forbidden, invalid, required, type FieldError } from "../field-error.ts";
import { childPath, keyPath, type Schema } from "../schema/index.ts";

/** Checks the keys of lists of type map. Models apiextensions pkg/apis/apiextensions/validation/validation.go */
export function checkListMapKeys(schema: Schema, path: string): readonly FieldError[] {
  const listType: string | undefined = schema["x-kubernetes-list-type"];
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const at = childPath(path, "x-kubernetes-list-type");
  const why = "must be map if x-kubernetes-list-map-keys is non-empty";
  if (listType === "map") return [...checkMap(schema, keys, path), ...checkMembers(schema, keys, path)];
  if (keys.length === 0) return checkNullable(schema, path);
  return [listType === undefined ? required(at, why) : invalid(at, listType, why), ...checkNullable(schema, path)];
}

function checkMap({ items }: Schema, keys: readonly string[], path: string): readonly FieldError[] {
  const found: FieldError[] = [];
  if (keys.length === 0) {
    found.push(required(childPath(path, "x-kubernetes-list-map-keys"), "must not be empty if x-kubernetes-list-type is map"));
  }
  const at = childPath(path, "items");
  if (items === undefined) return [...found, required(at, "must have a schema if x-kubernetes-list-type is map")];
  if (items.type === "object") return [...found, ...checkKeys(items, keys, path)];
  return [...found, invalid(childPath(at, "type"), items.type ?? "", "must be object if parent array's x-kubernetes-list-type is map")];
}

function checkKeys(items: Schema, keys: readonly string[], path: string): readonly FieldError[] {
  const at = childPath(path, "x-kubernetes-list-map-keys");
  return keys.flatMap((key, index) => {
    const found: FieldError[] = [];
    const property = items.properties?.[key];
    if (property === undefined) found.push(invalid(at, keys, "entries must all be names of item properties"));
    else if (property.type === "array" || property.type === "object") {
      const why = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      found.push(invalid(childPath(propertyOf(path, key), "type"), items.type, why));
    }
    if (keys.indexOf(key) < index) found.push(invalid(at, keys, "must not contain duplicate entries"));
    return found;
  });
}

function propertyOf(path: string, key: string): string {
  return keyPath(childPath(childPath(path, "items"), "properties"), key);
}

/** Members are told apart by their keys, so each must have all of them. */
function checkMembers(schema: Schema, keys: readonly string[], path: string): readonly FieldError[] {
  const { items } = schema;
  const perKey = keys.flatMap((key) => {
    const property = items?.properties?.[key];
    if (items === undefined || property === undefined) return [];
    const isThere = (items.required ?? []).includes(key) || (property.default !== undefined && property.default !== null);
    const missing = "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property";
    const nullable = "this property is in x-kubernetes-list-map-keys, so it cannot be nullable";
    return [
      ...(isThere ? [] : [required(childPath(propertyOf(path, key), "default"), missing)]),
      ...(property.nullable === true ? [forbidden(childPath(propertyOf(path, key), "nullable"), nullable)] : []),
    ];
  });
  return [...checkNullable(schema, path), ...perKey];
}

function checkNullable(schema: Schema, path: string): readonly FieldError[] {
  const listType = schema["x-kubernetes-list-type"];
  if ((listType !== "set" && listType !== "map") || schema.items?.nullable !== true) return [];
  const at = childPath(childPath(path, "items"), "nullable");
  return [forbidden(at, `cannot be nullable when x-kubernetes-list-type is ${listType}`)];
}
