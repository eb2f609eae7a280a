import { invalid, type FieldError } from "../../field-error.ts";
import { notNegative } from "./meta.ts";
import { percentage } from "./names.ts";

// Models pkg/apis/apps/validation/validation.go ValidatePositiveIntOrPercent and its like

/** A number or a percentage that may not be negative. */
export function intOrPercent(value: unknown, path: string): readonly FieldError[] {
  if (typeof value === "string") return percentage(value).map((problem) => invalid(path, value, problem));
  return typeof value === "number" && value < 0 ? [invalid(path, value, notNegative)] : [];
}

const isPercentage = (value: unknown): value is string => typeof value === "string" && percentage(value).length === 0;

export function atMostAll(value: unknown, path: string): readonly FieldError[] {
  return isPercentage(value) && Number.parseInt(value, 10) > 100 ? [invalid(path, value, "must not be greater than 100%")] : [];
}

/** Nothing at all: 0, 0%, or a text that is no number. */
export function isNone(value: unknown): boolean {
  if (isPercentage(value)) return Number.parseInt(value, 10) === 0;
  if (typeof value === "string") return !/^[+-]?[0-9]+$/.test(value) || Number(value) === 0;
  return value === undefined || value === 0;
}
