import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";
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
  const found: FieldError[] = [];
  runNested(checkPart(schema, path, found));
  return found;
}

function* checkPart(schema: JsonSchemaProps, path: string, found: FieldError[]): Nested<void> {
  const { not, items, properties = {} } = schema;
  for (const name of ["anyOf", "allOf", "oneOf"] as const)
    for (const [index, one] of (schema[name] ?? []).entries())
      yield* callNested(checkPart(one, itemPath(childPath(path, name), index), found));
  if (not !== undefined) yield* callNested(checkPart(not, childPath(path, "not"), found));
  found.push(...checkPattern(schema, path));
  if (items !== undefined) yield* callNested(checkPart(items, childPath(path, "items"), found));
  for (const [name, child] of Object.entries(properties))
    yield* callNested(checkPart(child, keyPath(childPath(path, "properties"), name), found));
  for (const [name, why] of banned) if (isSet(schema[name])) found.push(fieldForbidden(childPath(path, name), why));
  if (Object.hasOwn(properties, "metadata"))
    found.push(fieldForbidden(keyPath(childPath(path, "properties"), "metadata"), "must not be specified in a nested context"));
}

/** Reports a pattern that does not compile. */
export function checkPattern({ pattern = "" }: JsonSchemaProps, path: string): readonly FieldError[] {
  const compiled = pattern === "" ? undefined : compilePattern(pattern);
  if (!(compiled instanceof Error)) return [];
  return [fieldInvalid(childPath(path, "pattern"), pattern, `must be a valid regular expression, but isn't: ${compiled.message}`)];
}

function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== false && value !== "";
}
