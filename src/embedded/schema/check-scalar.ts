import { compilePattern, tooMuchWork } from "./pattern.ts";
import type { Finding, FindingReporter } from "./finding.ts";
import { isCheckedFormat, matchesFormat } from "./formats.ts";
import type { JsonSchemaProps } from "./json-schema-props.ts";

/** The length of a string as Go counts it: in code points. */
function lengthOf(text: string): number {
  return [...text].length;
}

/** Checks length and pattern; reports the first that fails. Models kube-openapi pkg/validation/validate/validator.go stringValidator */
export function checkStringBounds(text: string, schema: JsonSchemaProps, path: string, report: FindingReporter): readonly Finding[] {
  const { maxLength, minLength, pattern = "" } = schema;
  if (maxLength !== undefined && lengthOf(text) > maxLength) return [report.tooLong(path, maxLength)];
  if (minLength !== undefined && lengthOf(text) < minLength) {
    return [report.invalid(path, text, `should be at least ${minLength} chars long`)];
  }
  if (pattern === "") return [];
  const compiled = compilePattern(pattern);
  if (compiled instanceof Error) {
    return [report.invalid(path, text, `should match '${pattern}, but pattern is invalid: ${compiled.message}'`)];
  }
  const tooMuch = tooMuchWork(pattern, text);
  if (tooMuch !== undefined) return [report.invalid(path, text.slice(0, 64), tooMuch)];
  return compiled.matcher(text).find() ? [] : [report.invalid(path, text, `should match '${pattern}'`)];
}

export function checkFormat(text: string, format: string, path: string, report: FindingReporter): readonly Finding[] {
  if (!isCheckedFormat(format) || matchesFormat(text, format)) return [];
  return [report.wrongType(path, format, text)];
}

/** Models kube-openapi pkg/validation/validate/validator.go numberValidator */
export function checkNumericBounds(value: number, schema: JsonSchemaProps, path: string, report: FindingReporter): readonly Finding[] {
  const { multipleOf, minimum, maximum, exclusiveMinimum = false, exclusiveMaximum = false } = schema;
  const found = multipleOf === undefined ? [] : [...checkMultiple(value, bound(value, multipleOf), path, report)];
  const lowest = minimum === undefined ? undefined : bound(value, minimum);
  if (lowest !== undefined && (value < lowest || (exclusiveMinimum && value === lowest))) {
    found.push(report.invalid(path, value, `should be greater than ${exclusiveMinimum ? "" : "or equal to "}${lowest}`));
  }
  const highest = maximum === undefined ? undefined : bound(value, maximum);
  if (highest !== undefined && (value > highest || (exclusiveMaximum && value === highest))) {
    found.push(report.invalid(path, value, `should be less than ${exclusiveMaximum ? "" : "or equal to "}${highest}`));
  }
  return found;
}

/** Integers are compared with truncated bounds, as the server does. */
function bound(value: number, limit: number): number {
  return Number.isInteger(value) ? Math.trunc(limit) : limit;
}

function checkMultiple(value: number, factor: number, path: string, report: FindingReporter): readonly Finding[] {
  if (factor <= 0) return [report.badFactor(path, factor)];
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  const isMultiple = Number.isInteger(value) ? Number.isInteger(value / factor) : isNearlyWhole(quotient);
  return isMultiple ? [] : [report.invalid(path, value, `should be a multiple of ${factor}`)];
}

/** Fractions are not exact: 0.3 counts as a multiple of 0.1. */
function isNearlyWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) <= 1e-9 * Math.max(1, Math.abs(value));
}
