import { isFields, listAt, numberAt, stringAt, type Fields } from "../../../core/object/index.ts";
import { fieldInvalid, fieldNotSupported, fieldRequired, type FieldError } from "../../field-error.ts";
import { isUnset } from "../field-edits.ts";
import { formatErrors, notNegative } from "./object-meta.ts";
import { inclusiveRange, checkPortName, type StringFormatCheck } from "./name-formats.ts";

/** The string in a field; empty when absent, as in Go. */
export function stringField(fields: unknown, name: string): string {
  return stringAt(fields, name, "");
}

/** Checks every object of a list, with its own path. */
export function checkEach(
  fields: unknown,
  name: string,
  path: string,
  check: (item: Fields, path: string, index: number) => readonly FieldError[],
): readonly FieldError[] {
  return listAt(fields, name).flatMap((item, index) => check(item, `${path}.${name}[${index}]`, index));
}

/** Checks the object in a field, where there is one. */
export function checkNestedObject(
  fields: unknown,
  name: string,
  path: string,
  check: (value: Fields, path: string) => readonly FieldError[],
): readonly FieldError[] {
  const value = isFields(fields) ? fields[name] : undefined;
  return isFields(value) ? check(value, `${path}.${name}`) : [];
}

/** A required value that must be one of a few. */
export function checkOneOf(value: string, path: string, supported: readonly string[]): readonly FieldError[] {
  if (value === "") return [fieldRequired(path)];
  return supported.includes(value) ? [] : [fieldNotSupported(path, value, supported)];
}

/** An optional value that must be one of a few. */
export function checkOptionalOneOf(fields: unknown, name: string, path: string, supported: readonly string[]): readonly FieldError[] {
  const value = stringAt(fields, name);
  return value === undefined || supported.includes(value) ? [] : [fieldNotSupported(`${path}.${name}`, value, supported)];
}

/** A required field that must pass the check. */
export function checkRequired(fields: unknown, name: string, path: string, check: StringFormatCheck): readonly FieldError[] {
  const value = stringField(fields, name);
  return value === "" ? [fieldRequired(`${path}.${name}`)] : formatErrors(check, `${path}.${name}`, value);
}

export function checkOptional(fields: unknown, name: string, path: string, check: StringFormatCheck): readonly FieldError[] {
  const value = stringField(fields, name);
  return value === "" ? [] : formatErrors(check, `${path}.${name}`, value);
}

export function checkPresent(fields: unknown, name: string, path: string): readonly FieldError[] {
  return stringField(fields, name) === "" ? [fieldRequired(`${path}.${name}`)] : [];
}

export function checkNonNegative(fields: unknown, name: string, path: string): readonly FieldError[] {
  const value = numberAt(fields, name, 0);
  return value < 0 ? [fieldInvalid(`${path}.${name}`, value, notNegative)] : [];
}

export function checkPositive(value: number, path: string): readonly FieldError[] {
  return value > 0 ? [] : [fieldInvalid(path, value, "must be greater than zero")];
}

export function checkInRange(value: number, path: string, low: number, high: number): readonly FieldError[] {
  return value >= low && value <= high ? [] : [fieldInvalid(path, value, inclusiveRange(low, high))];
}

export function checkPortNumber(value: number, path: string): readonly FieldError[] {
  return checkInRange(value, path, 1, 65_535);
}

export function checkPortNumberOrName(value: unknown, path: string): readonly FieldError[] {
  return typeof value === "string"
    ? formatErrors(checkPortName, path, value)
    : checkPortNumber(typeof value === "number" ? value : 0, path);
}

export function hasField(fields: unknown, name: string): boolean {
  return isFields(fields) && !isUnset(fields[name]);
}
