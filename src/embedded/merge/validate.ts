import { isFields, type Fields } from "../../core/object/index.ts";
import { goSyntax, goText, goTypeName } from "./go-print.ts";
import { elementOfItem, whyNotTold } from "./list-item.ts";
import { elementText, type PathElement } from "./path-element.ts";
import type { Scalar } from "./schema.ts";
import { formOf, typeOfField, type ListType, type MapType, type Type } from "./type.ts";
import { own } from "./value.ts";

/** What does not fit its type, and where: `.spec.size`. */
export type Misfit = { readonly path: string; readonly message: string };

export type ValidateOptions = {
  /** Items of sets and keyed lists may stand there more than once, as in objects that were stored before. Default false. */
  readonly duplicates?: boolean;
  /** A value of the same type that is known to fit; what is shared with it is not looked at again. */
  readonly known?: unknown;
};

const none: readonly Misfit[] = [];

/** Everything about a value that its type forbids. Models structured-merge-diff typed/validate.go */
export function validate(value: unknown, type: Type, { duplicates = false, known }: ValidateOptions = {}): readonly Misfit[] {
  return check(value, type, duplicates, known);
}

function check(value: unknown, type: Type, duplicates: boolean, known: unknown): readonly Misfit[] {
  if (value === known && value !== undefined) return none;
  if (type.missing) return misfit(`schema error: no type found matching: ${type.name}`);
  switch (formOf(type, value)) {
    case "map":
      return validateMap(value, type.map!, duplicates, known);
    case "list":
      return validateList(value, type.list!, duplicates, known);
    case "scalar":
      return validateScalar(value, type.scalar!);
    case undefined:
      return misfit(`schema error: invalid atom: ${type.name === "inlined" ? "inlined" : `named type: ${type.name}`}`);
  }
}

/** All misfits in one text, in upstream's form. */
export function misfitText(misfits: readonly Misfit[]): string {
  const lines = misfits.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  return lines.length === 1 ? lines[0]! : ["errors:", ...lines.map((line) => `  ${line}`)].join("\n");
}

function misfit(message: string): readonly Misfit[] {
  return [{ path: "", message }];
}

function within(prefix: string, misfits: readonly Misfit[]): Misfit[] {
  return misfits.map(({ path, message }) => ({ path: prefix + path, message }));
}

function validateScalar(value: unknown, scalar: Scalar): readonly Misfit[] {
  if (value === null || value === undefined) return none;
  switch (scalar) {
    case "numeric":
      return typeof value === "number" ? none : misfit(`expected numeric (int or float), got ${goTypeName(value)}`);
    case "string":
      return typeof value === "string" ? none : misfit(`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
    case "boolean":
      return typeof value === "boolean" ? none : misfit(`expected boolean, got &{${goText(value)}}`);
    case "untyped":
      return typeof value === "object" ? misfit(`expected any scalar, got &{${goText(value)}}`) : none;
  }
}

function validateList(value: unknown, list: ListType, duplicates: boolean, known: unknown): readonly Misfit[] {
  if (value === null || value === undefined) return none;
  if (!Array.isArray(value)) return misfit(`expected list, got &{${goText(value)}}`);
  const before: readonly unknown[] = Array.isArray(known) ? known : [];
  const seen = list.associative && !duplicates ? new Set<PathElement>() : undefined;
  let found: Misfit[] | undefined;
  for (let at = 0; at < value.length; at++) {
    const item: unknown = value[at];
    if (duplicates && item === before[at] && item !== undefined) continue;
    const problem = list.associative ? whyNotTold(list, item) : undefined;
    // What comes after an item that cannot be told from others is not reported upstream either.
    if (problem !== undefined) return [...(found ?? []), ...misfit(`element ${at}: ${problem}`)];
    if (seen !== undefined) {
      const element = elementAt(list, item, at);
      if (seen.has(element)) (found ??= []).push(...misfit(`duplicate entries for key ${elementText(element)}`));
      seen.add(element);
    }
    const inner = check(item, list.element, duplicates, before[at]);
    if (inner.length > 0) (found ??= []).push(...within(elementText(elementAt(list, item, at)), inner));
  }
  return found ?? none;
}

function elementAt(list: ListType, item: unknown, at: number): PathElement {
  return (list.associative ? elementOfItem(list, item) : undefined) ?? `i:${at}`;
}

function validateMap(value: unknown, map: MapType, duplicates: boolean, known: unknown): readonly Misfit[] {
  if (value === null || value === undefined) return none;
  if (!isFields(value)) return misfit(`expected map, got &{${goText(value)}}`);
  const before: Fields | undefined = isFields(known) ? known : undefined;
  let found: Misfit[] | undefined;
  for (const name in value) {
    const item = value[name];
    if (item === undefined || (before !== undefined && before[name] === item)) continue;
    const type = typeOfField(map, name);
    // The first unknown field ends the search, as upstream.
    if (type === undefined) return [...(found ?? []), { path: `.${name}`, message: "field not declared in schema" }];
    const inner = check(item, type, duplicates, before === undefined ? undefined : own(before, name));
    if (inner.length > 0) (found ??= []).push(...within(`.${name}`, inner));
  }
  return found ?? none;
}
