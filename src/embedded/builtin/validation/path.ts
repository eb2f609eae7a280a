import { invalid, type FieldError } from "../../field-error.ts";

// Models pkg/apis/core/validation/validation.go validatePathNoBacksteps and its like

export function noBacksteps(target: string, field: string): readonly FieldError[] {
  return target.split("/").includes("..") ? [invalid(field, target, "must not contain '..'")] : [];
}

export function descending(target: string, field: string): readonly FieldError[] {
  return [...(target.startsWith("/") ? [invalid(field, target, "must be a relative path")] : []), ...noBacksteps(target, field)];
}

export function nonReserved(target: string, field: string): readonly FieldError[] {
  const reserved = target.startsWith("..") && !target.startsWith("../");
  return [...descending(target, field), ...(reserved ? [invalid(field, target, "must not start with '..'")] : [])];
}
