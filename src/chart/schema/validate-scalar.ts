import { GoList, GoMap, type GoValue } from "../../lang/template/index.ts";
import { quoted } from "./validation-error.ts";
import { amountOf, amountText, countText, digitsOf, isMultiple } from "./number.ts";
import type { Validator } from "./validator.ts";

export function checkText(validator: Validator, text: string): void {
  const { minLength, maxLength, pattern } = validator.node;
  if (minLength !== undefined || maxLength !== undefined) {
    const length = [...text].length;
    if (minLength !== undefined && length < minLength) validator.fail(`minLength: got ${countText(length)}, want ${countText(minLength)}`);
    if (maxLength !== undefined && length > maxLength) validator.fail(`maxLength: got ${countText(length)}, want ${countText(maxLength)}`);
  }
  if (pattern !== undefined && !pattern.expression(text)) validator.fail(`${quoted(text)} does not match pattern ${quoted(pattern.text)}`);
}

export function checkNumber(validator: Validator, value: GoValue): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = validator.node;
  const amount = amountOf(value) ?? 0;
  const fail = (keyword: string, wanted: number) => validator.fail(`${keyword}: got ${amountText(amount)}, want ${amountText(wanted)}`);
  if (minimum !== undefined && amount < minimum.amount) fail("minimum", minimum.amount);
  if (maximum !== undefined && amount > maximum.amount) fail("maximum", maximum.amount);
  if (exclusiveMinimum !== undefined && amount <= exclusiveMinimum.amount) fail("exclusiveMinimum", exclusiveMinimum.amount);
  if (exclusiveMaximum !== undefined && amount >= exclusiveMaximum.amount) fail("exclusiveMaximum", exclusiveMaximum.amount);
  if (multipleOf !== undefined && !isMultiple(digitsOf(value), multipleOf.digits)) fail("multipleOf", multipleOf.amount);
}

export function constMessage(value: GoValue): string {
  return isCollection(value) ? "'const' failed" : `value must be ${display(value)}`;
}

export function enumMessage(values: readonly GoValue[]): string {
  if (values.some(isCollection)) return "'enum' failed";
  return values.length === 1 ? `value must be ${display(values[0])}` : `value must be one of ${values.map(display).join(", ")}`;
}

function display(value: GoValue): string {
  if (typeof value === "string") return quoted(value);
  if (value === null || value === undefined) return "<nil>";
  return typeof value === "boolean" ? String(value) : digitsOf(value);
}

function isCollection(value: GoValue): boolean {
  return value instanceof GoMap || value instanceof GoList;
}
