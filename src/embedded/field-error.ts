/** Why a field was refused, in the words of the API server. Models apimachinery pkg/util/validation/field/errors.go */
export type FieldErrorReason =
  | "FieldValueNotFound"
  | "FieldValueRequired"
  | "FieldValueDuplicate"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueTypeInvalid"
  | "InternalError";

/** One cause of a 422: `field` is a path (`spec.template.spec.containers[0].name`), `message` what the Status says of it. */
export type FieldError = { readonly field: string; readonly reason: FieldErrorReason; readonly message: string };

const unquoted = new Set(["number", "boolean", "bigint"]);

/** A value as the API server prints it in a message: strings quoted, objects as JSON. */
export function printed(value: unknown): string {
  return unquoted.has(typeof value) ? String(value) : JSON.stringify(value ?? null);
}

export function required(field: string, detail = ""): FieldError {
  return { field, reason: "FieldValueRequired", message: detail === "" ? "Required value" : `Required value: ${detail}` };
}

export function invalid(field: string, value: unknown, detail: string): FieldError {
  return { field, reason: "FieldValueInvalid", message: `Invalid value: ${printed(value)}: ${detail}` };
}

export function typeInvalid(field: string, value: unknown, detail: string): FieldError {
  return { field, reason: "FieldValueTypeInvalid", message: `Invalid value: ${printed(value)}: ${detail}` };
}

export function notSupported(field: string, value: unknown, supported: readonly string[]): FieldError {
  const list = supported.map((item) => JSON.stringify(item)).join(", ");
  return { field, reason: "FieldValueNotSupported", message: `Unsupported value: ${printed(value)}: supported values: ${list}` };
}

export function duplicate(field: string, value: unknown): FieldError {
  return { field, reason: "FieldValueDuplicate", message: `Duplicate value: ${printed(value)}` };
}

export function forbidden(field: string, detail: string): FieldError {
  return { field, reason: "FieldValueForbidden", message: `Forbidden: ${detail}` };
}

export function notFound(field: string, value: unknown): FieldError {
  return { field, reason: "FieldValueNotFound", message: `Not found: ${printed(value)}` };
}

export function tooLong(field: string, maxBytes: number): FieldError {
  return { field, reason: "FieldValueTooLong", message: `Too long: may not be more than ${maxBytes} ${maxBytes === 1 ? "byte" : "bytes"}` };
}

export function tooMany(field: string, actual: number, max: number): FieldError {
  return { field, reason: "FieldValueTooMany", message: `Too many: ${actual}: must have at most ${max} ${max === 1 ? "item" : "items"}` };
}
