import { fieldInvalid, type FieldError } from "../../field-error.ts";
import { notNegative } from "./object-meta.ts";
import { checkPercentage } from "./name-formats.ts";

// Models pkg/apis/apps/validation/validation.go ValidatePositiveIntOrPercent and its like

/** A number or a percentage that may not be negative. */
export function validateIntOrPercent(value: unknown, path: string): readonly FieldError[] {
  if (typeof value === "string") return checkPercentage(value).map((problem) => fieldInvalid(path, value, problem));
  return typeof value === "number" && value < 0 ? [fieldInvalid(path, value, notNegative)] : [];
}

const isPercentage = (value: unknown): value is string => typeof value === "string" && checkPercentage(value).length === 0;

export function validateAtMost100Percent(value: unknown, path: string): readonly FieldError[] {
  return isPercentage(value) && Number.parseInt(value, 10) > 100 ? [fieldInvalid(path, value, "must not be greater than 100%")] : [];
}

/** Zero: 0, 0%, or a text that is no number. */
export function isZeroIntOrPercent(value: unknown): boolean {
  if (isPercentage(value)) return Number.parseInt(value, 10) === 0;
  if (typeof value === "string") return !/^[+-]?[0-9]+$/.test(value) || Number(value) === 0;
  return value === undefined || value === 0;
}
