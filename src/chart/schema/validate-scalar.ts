import { GoList, GoMap, type Value } from "../../lang/template/index.ts";
import { quoted } from "./failure.ts";
import { amountOf, amountText, countText, digitsOf, isMultiple } from "./number.ts";
import type { Judgement } from "./validate.ts";

export function checkText(judgement: Judgement, text: string): void {
  const { minLength, maxLength, pattern } = judgement.node;
  if (minLength !== undefined || maxLength !== undefined) {
    const length = [...text].length;
    if (minLength !== undefined && length < minLength) judgement.fail(`minLength: got ${countText(length)}, want ${countText(minLength)}`);
    if (maxLength !== undefined && length > maxLength) judgement.fail(`maxLength: got ${countText(length)}, want ${countText(maxLength)}`);
  }
  if (pattern !== undefined && !pattern.expression(text)) judgement.fail(`${quoted(text)} does not match pattern ${quoted(pattern.text)}`);
}

export function checkNumber(judgement: Judgement, value: Value): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = judgement.node;
  const amount = amountOf(value) ?? 0;
  const fail = (keyword: string, wanted: number) => judgement.fail(`${keyword}: got ${amountText(amount)}, want ${amountText(wanted)}`);
  if (minimum !== undefined && amount < minimum.amount) fail("minimum", minimum.amount);
  if (maximum !== undefined && amount > maximum.amount) fail("maximum", maximum.amount);
  if (exclusiveMinimum !== undefined && amount <= exclusiveMinimum.amount) fail("exclusiveMinimum", exclusiveMinimum.amount);
  if (exclusiveMaximum !== undefined && amount >= exclusiveMaximum.amount) fail("exclusiveMaximum", exclusiveMaximum.amount);
  if (multipleOf !== undefined && !isMultiple(digitsOf(value), multipleOf.digits)) fail("multipleOf", multipleOf.amount);
}

export function constMessage(value: Value): string {
  return isCollection(value) ? "'const' failed" : `value must be ${display(value)}`;
}

export function enumMessage(values: readonly Value[]): string {
  if (values.some(isCollection)) return "'enum' failed";
  return values.length === 1 ? `value must be ${display(values[0])}` : `value must be one of ${values.map(display).join(", ")}`;
}

function display(value: Value): string {
  if (typeof value === "string") return quoted(value);
  if (value === null || value === undefined) return "<nil>";
  return typeof value === "boolean" ? String(value) : digitsOf(value);
}

function isCollection(value: Value): boolean {
  return value instanceof GoMap || value instanceof GoList;
}
