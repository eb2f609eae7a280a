import { fieldInvalid, type FieldError } from "../../field-error.ts";

// Models pkg/apis/core/validation/validation.go validatePathNoBacksteps and its like

export function validatePathNoBacksteps(target: string, field: string): readonly FieldError[] {
  return target.split("/").includes("..") ? [fieldInvalid(field, target, "must not contain '..'")] : [];
}

export function validateDescendingPath(target: string, field: string): readonly FieldError[] {
  return [
    ...(target.startsWith("/") ? [fieldInvalid(field, target, "must be a relative path")] : []),
    ...validatePathNoBacksteps(target, field),
  ];
}

export function validateNonReservedPath(target: string, field: string): readonly FieldError[] {
  const reserved = target.startsWith("..") && !target.startsWith("../");
  return [...validateDescendingPath(target, field), ...(reserved ? [fieldInvalid(field, target, "must not start with '..'")] : [])];
}
