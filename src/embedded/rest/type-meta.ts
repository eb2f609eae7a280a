import type { Fields } from "../../core/object/index.ts";
import { apiVersionFor, type ServedResource } from "../apiserver/index.ts";
import { fieldInvalid } from "../field-error.ts";
import { validateListTypes } from "../schema/index.ts";
import { invalidError, type StatusError } from "../status-error.ts";

/** What Go's JSON decoder calls a value. */
export function goTypeOf(value: unknown): string {
  return Array.isArray(value) ? "array" : value === null ? "null" : typeof value === "boolean" ? "bool" : typeof value;
}

/** Why the apiVersion or the kind of a body cannot be read. Models apimachinery pkg/runtime/serializer/json/meta.go */
export function typeMetaProblem(body: Fields): string | undefined {
  for (const name of ["apiVersion", "kind"]) {
    const value = body[name] ?? "";
    if (typeof value !== "string")
      return `couldn't get version/kind; json parse error: json: cannot unmarshal ${goTypeOf(value)} into Go struct field .${name} of type string`;
  }
  const version = body["apiVersion"];
  return typeof version === "string" && version.split("/").length > 2 ? `unexpected GroupVersion string: ${version}` : undefined;
}

/** A custom resource of another kind or version than its path. Models apiextensions pkg/registry/customresource/validator.go */
export function otherTypeError(resource: ServedResource, body: Fields, name: string): StatusError | undefined {
  const { kind, apiVersion } = body;
  const expected = apiVersionFor(resource);
  const errors = [
    ...(kind === resource.kind ? [] : [fieldInvalid("kind", kind, `must be ${resource.kind}`)]),
    ...(apiVersion === expected ? [] : [fieldInvalid("apiVersion", apiVersion, `must be ${expected}`)]),
  ];
  if (errors.length === 0) return undefined;
  const [group = ""] = String(apiVersion).includes("/") ? String(apiVersion).split("/") : [];
  // The schema is not looked at, but sets and maps among the lists are.
  return invalidError({ group, kind: String(kind) }, name, [...errors, ...validateListTypes(body, resource.custom?.served.schema)]);
}
