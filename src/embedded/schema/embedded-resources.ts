import { isFields, type Fields } from "../../core/object/index.ts";
import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";
import { fieldInvalid, fieldRequired, type FieldError } from "../field-error.ts";
import { dns1035LabelErrors } from "./dns-names.ts";
import { childPath, itemPath, keyPath } from "./error-path.ts";
import { fieldSchema } from "./prune-unknown-fields.ts";
import type { JsonSchemaProps } from "./json-schema-props.ts";

/** Validates the metadata of an embedded resource. */
export type CheckMetadata = (metadata: unknown, path: string) => readonly FieldError[];

/**
 * Validates apiVersion, kind and metadata of embedded resources below a value.
 *
 * Models apiextensions pkg/apiserver/schema/objectmeta/validation.go
 */
export function validateEmbeddedResources(
  value: unknown,
  schema: JsonSchemaProps | undefined,
  checkMetadata: CheckMetadata = () => [],
  path = "",
): readonly FieldError[] {
  const found: FieldError[] = [];
  runNested(checkValue(value, schema, checkMetadata, path, found));
  return found;
}

function* checkValue(
  value: unknown,
  schema: JsonSchemaProps | undefined,
  checkMetadata: CheckMetadata,
  path: string,
  found: FieldError[],
): Nested<void> {
  if (schema === undefined || typeof value !== "object") return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      yield* callNested(checkValue(item, schema.items, checkMetadata, itemPath(path, index), found));
    return;
  }
  if (!isFields(value)) return;
  if (schema["x-kubernetes-embedded-resource"] === true) found.push(...checkResource(value, checkMetadata, path));
  for (const [name, child] of Object.entries(value)) {
    const isNamed = schema.properties !== undefined && Object.hasOwn(schema.properties, name);
    const at = isNamed ? childPath(path, name) : keyPath(path, name);
    yield* callNested(checkValue(child, fieldSchema(schema, name)?.schema, checkMetadata, at, found));
  }
}

function checkResource(resource: Fields, checkMetadata: CheckMetadata, path: string): readonly FieldError[] {
  const missing = ["apiVersion", "kind"]
    .filter((name) => !Object.hasOwn(resource, name))
    .map((name) => fieldRequired(childPath(path, name)));
  return [
    ...missing,
    ...(Object.hasOwn(resource, "apiVersion") ? checkApiVersion(resource["apiVersion"], childPath(path, "apiVersion")) : []),
    ...(Object.hasOwn(resource, "kind") ? checkKind(resource["kind"], childPath(path, "kind")) : []),
    ...(Object.hasOwn(resource, "metadata") ? checkMetadata(resource["metadata"], childPath(path, "metadata")) : []),
  ];
}

function checkApiVersion(value: unknown, path: string): readonly FieldError[] {
  if (typeof value !== "string") return [fieldInvalid(path, value, "must be a string")];
  if (value === "") return [fieldInvalid(path, value, "must not be empty")];
  return value.split("/").length > 2 ? [fieldInvalid(path, value, `unexpected GroupVersion string: ${value}`)] : [];
}

function checkKind(value: unknown, path: string): readonly FieldError[] {
  if (typeof value !== "string") return [fieldInvalid(path, value, "must be a string")];
  if (value === "") return [fieldInvalid(path, value, "must not be empty")];
  const wrong = dns1035LabelErrors(value.toLowerCase());
  return wrong.length === 0 ? [] : [fieldInvalid(path, value, `may have mixed case, but should otherwise match: ${wrong.join(",")}`)];
}
