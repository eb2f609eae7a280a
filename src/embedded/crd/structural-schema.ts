import { equal } from "../../core/object/index.ts";
import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";
import { fieldForbidden, fieldInvalid, fieldRequired, type FieldError } from "../field-error.ts";
import { childPath, itemPath, keyPath, type JsonSchemaProps } from "../schema/index.ts";
import { checkNested, checkPattern } from "./nested-value-validation.ts";

type Level = "root" | "item" | "field";

const emptyType: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

/**
 * Validates that a schema is structural: every field has a type, and allOf, anyOf, oneOf and not only restrict values.
 * Models apiextensions pkg/apiserver/schema/validation.go, complete.go
 */
export function validateStructuralSchema(schema: JsonSchemaProps, path: string): readonly FieldError[] {
  const found: FieldError[] = [];
  runNested(checkNode(schema, "root", path, found));
  runNested(checkComplete(schema, schema, path, path, found));
  return found.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}

function textOf({ field, message }: FieldError): string {
  return `${field}: ${message}`;
}

function* checkNode(schema: JsonSchemaProps, level: Level, path: string, found: FieldError[]): Nested<void> {
  const { items, properties = {}, additionalProperties } = schema;
  if (items !== undefined) yield* callNested(checkNode(items, "item", childPath(path, "items"), found));
  for (const [name, child] of Object.entries(properties))
    yield* callNested(checkNode(child, "field", keyPath(childPath(path, "properties"), name), found));
  if (typeof additionalProperties === "object")
    yield* callNested(checkNode(additionalProperties, "field", childPath(path, "additionalProperties"), found));
  for (const error of [...checkOwn(schema, level, path), ...checkType(schema, level, path), ...checkMeta(schema, level, path)])
    found.push(error);
}

function checkOwn(schema: JsonSchemaProps, level: Level, path: string): readonly FieldError[] {
  const found: FieldError[] = [];
  const at = (name: string) => childPath(path, name);
  if (schema.type === "array" && schema.items === undefined) found.push(fieldRequired(at("items"), "must be specified"));
  if (schema.additionalProperties !== undefined && level === "root") {
    found.push(fieldForbidden(at("additionalProperties"), "must not be used at the root"));
  }
  for (const extension of ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"] as const) {
    if (schema["x-kubernetes-int-or-string"] === true && schema[extension] === true) {
      found.push(fieldInvalid(at(extension), true, "must be false if x-kubernetes-int-or-string is true"));
    }
  }
  if (schema["x-kubernetes-embedded-resource"] === true) found.push(...checkEmbedded(schema, path));
  return [...found, ...checkValues(schema, path)];
}

function checkEmbedded(schema: JsonSchemaProps, path: string): readonly FieldError[] {
  const found: FieldError[] = [];
  if (schema.additionalProperties !== undefined) {
    found.push(fieldForbidden(childPath(path, "additionalProperties"), "must not be used if x-kubernetes-embedded-resource is set"));
  }
  const isEmpty = Object.keys(schema.properties ?? {}).length === 0;
  if (isEmpty && schema["x-kubernetes-preserve-unknown-fields"] !== true) {
    const why = "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
    found.push(fieldRequired(childPath(path, "properties"), why));
  }
  return found;
}

function checkType(schema: JsonSchemaProps, level: Level, path: string): readonly FieldError[] {
  const at = childPath(path, "type");
  const { type = "" } = schema;
  if (schema["x-kubernetes-embedded-resource"] === true && type !== "object") {
    const why = "must be object if x-kubernetes-embedded-resource is true";
    return type === ""
      ? [fieldRequired(at, why)]
      : [fieldInvalid(at, type, why), ...(level === "root" ? [fieldInvalid(at, type, "must be object at the root")] : [])];
  }
  const isOpen = schema["x-kubernetes-int-or-string"] === true || schema["x-kubernetes-preserve-unknown-fields"] === true;
  if (type === "") return isOpen ? [] : [fieldRequired(at, emptyType[level])];
  return level === "root" && type !== "object" ? [fieldInvalid(at, type, "must be object at the root")] : [];
}

function checkMeta(schema: JsonSchemaProps, level: Level, path: string): readonly FieldError[] {
  const isResource = level === "root" || schema["x-kubernetes-embedded-resource"] === true;
  if (!isResource) return [];
  const at = (name: string) => keyPath(childPath(path, "properties"), name);
  const found: FieldError[] = [];
  for (const name of ["kind", "apiVersion"]) {
    const type = schema.properties?.[name] === undefined ? "string" : (schema.properties[name].type ?? "");
    if (type !== "string") found.push(fieldInvalid(childPath(at(name), "type"), type, "must be string"));
  }
  const metadata = schema.properties?.["metadata"];
  if (metadata === undefined) return found;
  if (metadata.type !== "object") found.push(fieldInvalid(childPath(at("metadata"), "type"), metadata.type ?? "", "must be object"));
  if (level === "root" && !restrictsOnlyNames(metadata)) {
    found.push(
      fieldForbidden(at("metadata"), "must not specify anything other than name and generateName, but metadata is implicitly specified"),
    );
  }
  return found;
}

/** Whether a schema of metadata restricts only name and generateName. */
function restrictsOnlyNames({ type: _type, default: _default, properties = {}, ...rest }: JsonSchemaProps): boolean {
  const others = Object.keys(properties).filter((name) => name !== "name" && name !== "generateName");
  return others.length === 0 && Object.keys(rest).length === 0;
}

const intOrString: readonly JsonSchemaProps[] = [{ type: "integer" }, { type: "string" }];

/** Validates allOf, anyOf, oneOf, not and the pattern. The standard spelling of int-or-string is accepted. */
function checkValues(schema: JsonSchemaProps, path: string): readonly FieldError[] {
  const { allOf = [], anyOf = [], oneOf = [], not } = schema;
  const at = (name: string, index: number) => itemPath(childPath(path, name), index);
  const isKnown = equal(anyOf, intOrString);
  const [first, ...others] = allOf;
  const isKnownFirst = first !== undefined && equal(first.anyOf, intOrString);
  const checkedAllOf = isKnownFirst ? [{ ...first, anyOf: [] }, ...others] : allOf;
  return [
    ...(isKnown ? [] : anyOf.flatMap((one, index) => checkNested(one, at("anyOf", index)))),
    ...checkedAllOf.flatMap((one, index) => checkNested(one, at("allOf", index))),
    ...oneOf.flatMap((one, index) => checkNested(one, at("oneOf", index))),
    ...(not === undefined ? [] : checkNested(not, childPath(path, "not"))),
    ...checkPattern(schema, path),
  ];
}

/**
 * Validates that fields in combinations are specified outside of them. `part` is at `partPath` inside of a combination,
 * `schema` at `path` outside.
 */
function* checkComplete(
  part: JsonSchemaProps,
  schema: JsonSchemaProps | undefined,
  path: string,
  partPath: string,
  found: FieldError[],
): Nested<void> {
  if (part.not !== undefined) yield* callNested(checkCompleteNested(part.not, schema, path, childPath(partPath, "not"), found));
  for (const name of ["allOf", "anyOf", "oneOf"] as const)
    for (const [index, one] of (part[name] ?? []).entries())
      yield* callNested(checkCompleteNested(one, schema, path, itemPath(childPath(partPath, name), index), found));
}

function* checkCompleteNested(
  part: JsonSchemaProps,
  schema: JsonSchemaProps | undefined,
  path: string,
  partPath: string,
  found: FieldError[],
): Nested<void> {
  if (schema === undefined) {
    found.push(fieldRequired(path, `because it is defined in ${partPath}`));
    return;
  }
  const { items, properties = {} } = part;
  yield* callNested(checkComplete(part, schema, path, partPath, found));
  if (items !== undefined)
    yield* callNested(checkCompleteNested(items, schema.items, childPath(path, "items"), childPath(partPath, "items"), found));
  for (const [name, child] of Object.entries(properties)) {
    const at = (base: string) => keyPath(childPath(base, "properties"), name);
    yield* callNested(checkCompleteNested(child, schema.properties?.[name], at(path), at(partPath), found));
  }
}
