import { isFields, type Fields } from "../../core/object/index.ts";
import { invalid, required, type FieldError } from "../field-error.ts";
import { dns1035Label } from "./dns.ts";
import { childPath, itemPath, keyPath } from "./path.ts";
import { fieldSchema } from "./prune.ts";
import type { Schema } from "./schema.ts";

/** What is wrong with the metadata of an embedded resource. */
export type CheckMetadata = (metadata: unknown, path: string) => readonly FieldError[];

/**
 * Checks that embedded resources say what they are. The resource itself is not looked at, only what it holds.
 *
 * Models apiextensions pkg/apiserver/schema/objectmeta/validation.go
 */
export function validateEmbedded(
  value: unknown,
  schema: Schema | undefined,
  checkMetadata: CheckMetadata = () => [],
  path = "",
): readonly FieldError[] {
  if (schema === undefined) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => validateEmbedded(item, schema.items, checkMetadata, itemPath(path, index)));
  }
  if (!isFields(value)) return [];
  const own = schema["x-kubernetes-embedded-resource"] === true ? checkResource(value, checkMetadata, path) : [];
  const below = Object.entries(value).flatMap(([name, child]) => {
    const isNamed = schema.properties !== undefined && Object.hasOwn(schema.properties, name);
    return validateEmbedded(child, fieldSchema(schema, name)?.schema, checkMetadata, isNamed ? childPath(path, name) : keyPath(path, name));
  });
  return [...own, ...below];
}

function checkResource(resource: Fields, checkMetadata: CheckMetadata, path: string): readonly FieldError[] {
  const missing = ["apiVersion", "kind"].filter((name) => !Object.hasOwn(resource, name)).map((name) => required(childPath(path, name)));
  return [
    ...missing,
    ...(Object.hasOwn(resource, "apiVersion") ? checkApiVersion(resource["apiVersion"], childPath(path, "apiVersion")) : []),
    ...(Object.hasOwn(resource, "kind") ? checkKind(resource["kind"], childPath(path, "kind")) : []),
    ...(Object.hasOwn(resource, "metadata") ? checkMetadata(resource["metadata"], childPath(path, "metadata")) : []),
  ];
}

function checkApiVersion(value: unknown, path: string): readonly FieldError[] {
  if (typeof value !== "string") return [invalid(path, value, "must be a string")];
  if (value === "") return [invalid(path, value, "must not be empty")];
  return value.split("/").length > 2 ? [invalid(path, value, `unexpected GroupVersion string: ${value}`)] : [];
}

function checkKind(value: unknown, path: string): readonly FieldError[] {
  if (typeof value !== "string") return [invalid(path, value, "must be a string")];
  if (value === "") return [invalid(path, value, "must not be empty")];
  const wrong = dns1035Label(value.toLowerCase());
  return wrong.length === 0 ? [] : [invalid(path, value, `may have mixed case, but should otherwise match: ${wrong.join(",")}`)];
}
