/** The reason of a field error. Models apimachinery pkg/util/validation/field/errors.go */
type FieldErrorReason =
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

/** One cause of a 422: `field` is a path (`spec.template.spec.containers[0].name`), `message` the message of the Status cause. */
export type FieldError = { readonly field: string; readonly reason: FieldErrorReason; readonly message: string };

const unquoted = new Set(["number", "boolean", "bigint"]);

/** A value as the API server prints it in a message: strings quoted, objects as the JSON of Go, which escapes what HTML reads. */
export function formatValue(value: unknown): string {
  if (unquoted.has(typeof value)) return String(value);
  const text = JSON.stringify(value ?? null);
  return typeof value === "string" ? text : text.replaceAll(/[<>&\u2028\u2029]/g, escaped);
}

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

export function fieldRequired(field: string, detail = ""): FieldError {
  return { field, reason: "FieldValueRequired", message: detail === "" ? "Required value" : `Required value: ${detail}` };
}

export function fieldInvalid(field: string, value: unknown, detail: string): FieldError {
  return { field, reason: "FieldValueInvalid", message: `Invalid value: ${formatValue(value)}: ${detail}` };
}

export function fieldTypeInvalid(field: string, value: unknown, detail: string): FieldError {
  return { field, reason: "FieldValueTypeInvalid", message: `Invalid value: ${formatValue(value)}: ${detail}` };
}

export function fieldNotSupported(field: string, value: unknown, supported: readonly string[]): FieldError {
  const list = supported.map((item) => JSON.stringify(item)).join(", ");
  return { field, reason: "FieldValueNotSupported", message: `Unsupported value: ${formatValue(value)}: supported values: ${list}` };
}

export function fieldDuplicate(field: string, value: unknown): FieldError {
  return { field, reason: "FieldValueDuplicate", message: `Duplicate value: ${formatValue(value)}` };
}

export function fieldForbidden(field: string, detail: string): FieldError {
  return { field, reason: "FieldValueForbidden", message: `Forbidden: ${detail}` };
}

export function fieldNotFound(field: string, value: unknown): FieldError {
  return { field, reason: "FieldValueNotFound", message: `Not found: ${formatValue(value)}` };
}

export function fieldTooLong(field: string, maxBytes: number): FieldError {
  return { field, reason: "FieldValueTooLong", message: `Too long: may not be more than ${maxBytes} ${maxBytes === 1 ? "byte" : "bytes"}` };
}

export function fieldTooMany(field: string, actual: number, max: number): FieldError {
  return { field, reason: "FieldValueTooMany", message: `Too many: ${actual}: must have at most ${max} ${max === 1 ? "item" : "items"}` };
}
