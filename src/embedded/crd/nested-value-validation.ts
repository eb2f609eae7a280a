import { fieldForbidden, fieldInvalid, type FieldError } from "../field-error.ts";
import { childPath, compilePattern, itemPath, keyPath, type JsonSchemaProps } from "../schema/index.ts";

/** The keywords that allOf, anyOf, oneOf and not may not contain, with the server's messages. */
const banned: readonly (readonly [name: keyof JsonSchemaProps, why: string])[] = [
  ["type", "must be empty to be structural"],
  ["additionalProperties", "must be undefined to be structural"],
  ["default", "must be undefined to be structural"],
  ["title", "must be empty to be structural"],
  ["description", "must be empty to be structural"],
  ["nullable", "must be false to be structural"],
  ["x-kubernetes-preserve-unknown-fields", "must be false to be structural"],
  ["x-kubernetes-embedded-resource", "must be false to be structural"],
  ["x-kubernetes-int-or-string", "must be false to be structural"],
  ["x-kubernetes-list-map-keys", "must be empty to be structural"],
  ["x-kubernetes-list-type", "must be undefined to be structural"],
  ["x-kubernetes-map-type", "must be undefined to be structural"],
  ["x-kubernetes-validations", "must be empty to be structural"],
];

/** Validates a schema inside of allOf, anyOf, oneOf or not: it may only restrict values. */
export function checkNested(schema: JsonSchemaProps, path: string): readonly FieldError[] {
  const { allOf = [], anyOf = [], oneOf = [], not, items, properties = {}, pattern = "" } = schema;
  const listed = (name: string, schemas: readonly JsonSchemaProps[]) =>
    schemas.flatMap((one, index) => checkNested(one, itemPath(childPath(path, name), index)));
  const compiled = pattern === "" ? undefined : compilePattern(pattern);
  const badPattern = compiled instanceof Error ? `must be a valid regular expression, but isn't: ${compiled.message}` : undefined;
  return [
    ...listed("anyOf", anyOf),
    ...listed("allOf", allOf),
    ...listed("oneOf", oneOf),
    ...(not === undefined ? [] : checkNested(not, childPath(path, "not"))),
    ...(badPattern === undefined ? [] : [fieldInvalid(childPath(path, "pattern"), pattern, badPattern)]),
    ...(items === undefined ? [] : checkNested(items, childPath(path, "items"))),
    ...Object.entries(properties).flatMap(([name, child]) => checkNested(child, keyPath(childPath(path, "properties"), name))),
    ...banned.filter(([name]) => isSet(schema[name])).map(([name, why]) => fieldForbidden(childPath(path, name), why)),
    ...(Object.hasOwn(properties, "metadata")
      ? [fieldForbidden(keyPath(childPath(path, "properties"), "metadata"), "must not be specified in a nested context")]
      : []),
  ];
}

function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== false && value !== "";
}
