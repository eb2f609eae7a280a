import { fieldForbidden, fieldInvalid, fieldNotSupported, fieldRequired, type FieldError } from "../field-error.ts";
import { childPath, keyPath, type JsonSchemaProps } from "../schema/index.ts";
import { checkListMapKeys } from "./list-map-keys.ts";

/** The position of a node in a CRD's schema, as far as it restricts the node. */
export type SchemaNodeContext = {
  readonly defaultsForbidden: string | undefined;
  readonly insideMeta: boolean;
  readonly uncorrelatable: string | undefined;
};

const types: readonly string[] = ["array", "boolean", "integer", "number", "object", "string"];

/** JSON Schema keywords that CRDs may not use. */
const unsupported = ["id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"];

/** Validates one node of a CRD's schema. Models apiextensions pkg/apis/apiextensions/validation/validation.go */
export function checkSchemaNode(schema: JsonSchemaProps, path: string, context: SchemaNodeContext): readonly FieldError[] {
  return [
    ...checkStandard(schema, path, context),
    ...checkProperties(schema, path),
    ...checkMapType(schema, path),
    ...checkListType(schema, path),
    ...checkListMapKeys(schema, path),
  ];
}

function checkStandard(schema: JsonSchemaProps, path: string, { defaultsForbidden, insideMeta }: SchemaNodeContext): readonly FieldError[] {
  const at = (name: string) => childPath(path, name);
  const found: FieldError[] = [];
  const type: string = schema.type ?? "";
  if (type !== "" && !types.includes(type)) found.push(fieldNotSupported(at("type"), type, types));
  if (schema.default !== undefined && schema.default !== null && defaultsForbidden !== undefined) {
    found.push(fieldForbidden(at("default"), `must not be set ${defaultsForbidden}`));
  }
  for (const name of unsupported) if (name in schema) found.push(fieldForbidden(at(name), `${name} is not supported`));
  if (type === "null") found.push(fieldForbidden(at("type"), "type cannot be set to null, use nullable as an alternative"));
  if (Array.isArray(schema.items)) found.push(fieldForbidden(at("items"), "items must be a schema object and not an array"));
  if (insideMeta && schema["x-kubernetes-embedded-resource"] === true) {
    found.push(fieldForbidden(at("x-kubernetes-embedded-resource"), "must not be used inside of resource meta"));
  }
  return found;
}

function checkProperties(schema: JsonSchemaProps, path: string): readonly FieldError[] {
  const found: FieldError[] = [];
  if (schema.uniqueItems === true) {
    const why = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
    found.push(fieldForbidden(childPath(path, "uniqueItems"), why));
  }
  const { properties = {}, additionalProperties } = schema;
  if (additionalProperties !== undefined && additionalProperties !== true && Object.keys(properties).length > 0) {
    found.push(fieldForbidden(childPath(path, "additionalProperties"), "additionalProperties and properties are mutual exclusive"));
  }
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    found.push(fieldInvalid(childPath(path, "x-kubernetes-preserve-unknown-fields"), false, "must be true or undefined"));
  }
  return found;
}

/** Reports an extension on a node of the wrong type. */
function needsType(schema: JsonSchemaProps, path: string, type: string, extension: string): readonly FieldError[] {
  if (schema.type === type) return [];
  const why = `must be ${type} if ${extension} is specified`;
  return [
    schema.type === undefined ? fieldRequired(childPath(path, "type"), why) : fieldInvalid(childPath(path, "type"), schema.type, why),
  ];
}

function checkMapType(schema: JsonSchemaProps, path: string): readonly FieldError[] {
  const name = "x-kubernetes-map-type";
  const mapType: string | undefined = schema[name];
  if (mapType === undefined) return [];
  const known = ["atomic", "granular"];
  return [
    ...needsType(schema, path, "object", name),
    ...(known.includes(mapType) ? [] : [fieldNotSupported(childPath(path, name), mapType, known)]),
  ];
}

function checkListType(schema: JsonSchemaProps, path: string): readonly FieldError[] {
  const name = "x-kubernetes-list-type";
  const listType: string | undefined = schema[name];
  if (listType === undefined) return [];
  const known = ["atomic", "set", "map"];
  const wrongType = needsType(schema, path, "array", name);
  return [
    ...wrongType,
    ...(wrongType.length === 0 && listType === "set" ? checkSetItems(schema.items, path) : []),
    ...(known.includes(listType) ? [] : [fieldNotSupported(childPath(path, name), listType, known)]),
  ];
}

/** Items of a set must be atomic. */
function checkSetItems(items: JsonSchemaProps | undefined, path: string): readonly FieldError[] {
  const at = childPath(path, "items");
  const why = "must be atomic as item of a list with x-kubernetes-list-type=set";
  const listType = items?.["x-kubernetes-list-type"];
  if (items?.type === "array" && listType !== undefined && listType !== "atomic") {
    return [fieldInvalid(childPath(at, "x-kubernetes-list-type"), listType, why)];
  }
  if (items?.type !== "object" || items["x-kubernetes-map-type"] === "atomic") return [];
  return [fieldInvalid(childPath(at, "x-kubernetes-map-type"), listType ?? null, why)];
}

/** The path of a property's schema: `path.properties[name]`. */
export function propertyPath(path: string, name: string): string {
  return keyPath(childPath(path, "properties"), name);
}
