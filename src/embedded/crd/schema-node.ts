import { forbidden, invalid, notSupported, required, type FieldError } from "../field-error.ts";
import { childPath, keyPath, type Schema } from "../schema/index.ts";
import { checkListMapKeys } from "./list-map.ts";

/** How far down in a definition's schema a node stands, as far as it matters to what it may say. */
export type Standing = {
  readonly defaultsForbidden: string | undefined;
  readonly insideMeta: boolean;
  readonly uncorrelatable: string | undefined;
};

const types: readonly string[] = ["array", "boolean", "integer", "number", "object", "string"];

/** Keywords of JSON Schema that definitions may not use. */
const unsupported = ["id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"];

/** Checks what a node of a definition's schema says by itself. Models apiextensions pkg/apis/apiextensions/validation/validation.go */
export function checkSchemaNode(schema: Schema, path: string, standing: Standing): readonly FieldError[] {
  return [
    ...checkStandard(schema, path, standing),
    ...checkProperties(schema, path),
    ...checkMapType(schema, path),
    ...checkListType(schema, path),
    ...checkListMapKeys(schema, path),
  ];
}

function checkStandard(schema: Schema, path: string, { defaultsForbidden, insideMeta }: Standing): readonly FieldError[] {
  const at = (name: string) => childPath(path, name);
  const found: FieldError[] = [];
  const type: string = schema.type ?? "";
  if (type !== "" && !types.includes(type)) found.push(notSupported(at("type"), type, types));
  if (schema.default !== undefined && schema.default !== null && defaultsForbidden !== undefined) {
    found.push(forbidden(at("default"), `must not be set ${defaultsForbidden}`));
  }
  for (const name of unsupported) if (name in schema) found.push(forbidden(at(name), `${name} is not supported`));
  if (type === "null") found.push(forbidden(at("type"), "type cannot be set to null, use nullable as an alternative"));
  if (Array.isArray(schema.items)) found.push(forbidden(at("items"), "items must be a schema object and not an array"));
  if (insideMeta && schema["x-kubernetes-embedded-resource"] === true) {
    found.push(forbidden(at("x-kubernetes-embedded-resource"), "must not be used inside of resource meta"));
  }
  return found;
}

function checkProperties(schema: Schema, path: string): readonly FieldError[] {
  const found: FieldError[] = [];
  if (schema.uniqueItems === true) {
    const why = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
    found.push(forbidden(childPath(path, "uniqueItems"), why));
  }
  const { properties = {}, additionalProperties } = schema;
  if (additionalProperties !== undefined && additionalProperties !== true && Object.keys(properties).length > 0) {
    found.push(forbidden(childPath(path, "additionalProperties"), "additionalProperties and properties are mutual exclusive"));
  }
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    found.push(invalid(childPath(path, "x-kubernetes-preserve-unknown-fields"), false, "must be true or undefined"));
  }
  return found;
}

/** An extension that only one type can have. */
function needsType(schema: Schema, path: string, type: string, extension: string): readonly FieldError[] {
  if (schema.type === type) return [];
  const why = `must be ${type} if ${extension} is specified`;
  return [schema.type === undefined ? required(childPath(path, "type"), why) : invalid(childPath(path, "type"), schema.type, why)];
}

function checkMapType(schema: Schema, path: string): readonly FieldError[] {
  const name = "x-kubernetes-map-type";
  const mapType: string | undefined = schema[name];
  if (mapType === undefined) return [];
  const known = ["atomic", "granular"];
  return [
    ...needsType(schema, path, "object", name),
    ...(known.includes(mapType) ? [] : [notSupported(childPath(path, name), mapType, known)]),
  ];
}

function checkListType(schema: Schema, path: string): readonly FieldError[] {
  const name = "x-kubernetes-list-type";
  const listType: string | undefined = schema[name];
  if (listType === undefined) return [];
  const known = ["atomic", "set", "map"];
  const wrongType = needsType(schema, path, "array", name);
  return [
    ...wrongType,
    ...(wrongType.length === 0 && listType === "set" ? checkSetItems(schema.items, path) : []),
    ...(known.includes(listType) ? [] : [notSupported(childPath(path, name), listType, known)]),
  ];
}

/** The members of a set are compared as wholes. */
function checkSetItems(items: Schema | undefined, path: string): readonly FieldError[] {
  const at = childPath(path, "items");
  const why = "must be atomic as item of a list with x-kubernetes-list-type=set";
  const listType = items?.["x-kubernetes-list-type"];
  if (items?.type === "array" && listType !== undefined && listType !== "atomic") {
    return [invalid(childPath(at, "x-kubernetes-list-type"), listType, why)];
  }
  if (items?.type !== "object" || items["x-kubernetes-map-type"] === "atomic") return [];
  return [invalid(childPath(at, "x-kubernetes-map-type"), listType ?? null, why)];
}

/** Where the fields of a schema stand: `path.properties[name]`. */
export function propertyPath(path: string, name: string): string {
  return keyPath(childPath(path, "properties"), name);
}
