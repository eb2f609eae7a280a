import { isFields, listAt, numberAt, stringAt, type Fields } from "../../../core/object/index.ts";
import { duplicate, invalid, notSupported, required, type FieldError } from "../../field-error.ts";
import { isUnset } from "../edit.ts";
import { checked, notNegative } from "./meta.ts";
import { inclusiveRange, portName, type Check } from "./names.ts";

/** The string in a field; empty when there is none, as Go has it. */
export function text(fields: unknown, name: string): string {
  return stringAt(fields, name, "");
}

/** Checks every object of a list, with its own path. */
export function each(
  fields: unknown,
  name: string,
  path: string,
  check: (item: Fields, path: string, index: number) => readonly FieldError[],
): readonly FieldError[] {
  return listAt(fields, name).flatMap((item, index) => check(item, `${path}.${name}[${index}]`, index));
}

/** Checks the object in a field, where there is one. */
export function within(
  fields: unknown,
  name: string,
  path: string,
  check: (value: Fields, path: string) => readonly FieldError[],
): readonly FieldError[] {
  const value = isFields(fields) ? fields[name] : undefined;
  return isFields(value) ? check(value, `${path}.${name}`) : [];
}

/** A value that must be one of a few; what is missing is required. */
export function oneOf(value: string, path: string, supported: readonly string[]): readonly FieldError[] {
  if (value === "") return [required(path)];
  return supported.includes(value) ? [] : [notSupported(path, value, supported)];
}

/** A value that must be one of a few where it is there at all. */
export function optionalOneOf(fields: unknown, name: string, path: string, supported: readonly string[]): readonly FieldError[] {
  const value = stringAt(fields, name);
  return value === undefined || supported.includes(value) ? [] : [notSupported(`${path}.${name}`, value, supported)];
}

/** A field that must be there and must pass the check. */
export function named(fields: unknown, name: string, path: string, check: Check): readonly FieldError[] {
  const value = text(fields, name);
  return value === "" ? [required(`${path}.${name}`)] : checked(check, `${path}.${name}`, value);
}

export function optional(fields: unknown, name: string, path: string, check: Check): readonly FieldError[] {
  const value = text(fields, name);
  return value === "" ? [] : checked(check, `${path}.${name}`, value);
}

export function present(fields: unknown, name: string, path: string): readonly FieldError[] {
  return text(fields, name) === "" ? [required(`${path}.${name}`)] : [];
}

export function nonNegative(fields: unknown, name: string, path: string): readonly FieldError[] {
  const value = numberAt(fields, name, 0);
  return value < 0 ? [invalid(`${path}.${name}`, value, notNegative)] : [];
}

export function positive(value: number, path: string): readonly FieldError[] {
  return value > 0 ? [] : [invalid(path, value, "must be greater than zero")];
}

export function inRange(value: number, path: string, low: number, high: number): readonly FieldError[] {
  return value >= low && value <= high ? [] : [invalid(path, value, inclusiveRange(low, high))];
}

export function portNumber(value: number, path: string): readonly FieldError[] {
  return inRange(value, path, 1, 65_535);
}

export function portNumberOrName(value: unknown, path: string): readonly FieldError[] {
  return typeof value === "string" ? checked(portName, path, value) : portNumber(typeof value === "number" ? value : 0, path);
}

export function has(fields: unknown, name: string): boolean {
  return isFields(fields) && !isUnset(fields[name]);
}

/** One error for each value that was there before, in order. */
export function duplicates(values: readonly string[], pathOf: (index: number) => string): readonly FieldError[] {
  const seen = new Set<string>();
  return values.flatMap((value, index) => {
    if (seen.has(value)) return [duplicate(pathOf(index), value)];
    seen.add(value);
    return [];
  });
}
