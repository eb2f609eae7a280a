import { isFields, type Fields } from "../../core/object/index.ts";
import { goSyntax, goValueText, goTypeName } from "./go-print.ts";
import { elementOfItem, indistinguishableReason } from "./list-item.ts";
import { elementText, type PathElement } from "./path-element.ts";
import type { ScalarType } from "./merge-schema.ts";
import { formOf, typeOfField, type ListType, type MapType, type MergeType } from "./merge-type.ts";
import { ownField } from "./value.ts";

/** A value that does not fit its type, and its path: `.spec.size`. */
type TypedError = { readonly path: string; readonly message: string };

type ValidateTypedOptions = {
  /** Sets and keyed lists may have duplicate items, as in stored objects. Default false. */
  readonly duplicates?: boolean;
  /** A value of the same type that is known to be valid; shared parts are not validated again. */
  readonly known?: unknown;
};

const none: readonly TypedError[] = [];

/** The errors of a value against its type. Models structured-merge-diff typed/validate.go */
export function validateTyped(
  value: unknown,
  type: MergeType,
  { duplicates = false, known }: ValidateTypedOptions = {},
): readonly TypedError[] {
  return check(value, type, duplicates, known);
}

function check(value: unknown, type: MergeType, duplicates: boolean, known: unknown): readonly TypedError[] {
  if (value === known && value !== undefined) return none;
  if (type.missing) return typedError(`schema error: no type found matching: ${type.name}`);
  switch (formOf(type, value)) {
    case "map":
      return validateMap(value, type.map!, duplicates, known);
    case "list":
      return validateList(value, type.list!, duplicates, known);
    case "scalar":
      return validateScalar(value, type.scalar!);
    case undefined:
      return typedError(`schema error: invalid atom: ${type.name === "inlined" ? "inlined" : `named type: ${type.name}`}`);
  }
}

/** All errors in one text, in upstream's form. */
export function typedErrorText(errors: readonly TypedError[]): string {
  const lines = errors.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  return lines.length === 1 ? lines[0]! : ["errors:", ...lines.map((line) => `  ${line}`)].join("\n");
}

function typedError(message: string): readonly TypedError[] {
  return [{ path: "", message }];
}

function within(prefix: string, errors: readonly TypedError[]): TypedError[] {
  return errors.map(({ path, message }) => ({ path: prefix + path, message }));
}

function validateScalar(value: unknown, scalar: ScalarType): readonly TypedError[] {
  if (value === null || value === undefined) return none;
  switch (scalar) {
    case "numeric":
      return typeof value === "number" ? none : typedError(`expected numeric (int or float), got ${goTypeName(value)}`);
    case "string":
      return typeof value === "string" ? none : typedError(`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
    case "boolean":
      return typeof value === "boolean" ? none : typedError(`expected boolean, got &{${goValueText(value)}}`);
    case "untyped":
      return typeof value === "object" ? typedError(`expected any scalar, got &{${goValueText(value)}}`) : none;
  }
}

function validateList(value: unknown, list: ListType, duplicates: boolean, known: unknown): readonly TypedError[] {
  if (value === null || value === undefined) return none;
  if (!Array.isArray(value)) return typedError(`expected list, got &{${goValueText(value)}}`);
  const before: readonly unknown[] = Array.isArray(known) ? known : [];
  const seen = list.associative && !duplicates ? new Set<PathElement>() : undefined;
  let found: TypedError[] | undefined;
  for (let at = 0; at < value.length; at++) {
    const item: unknown = value[at];
    if (duplicates && item === before[at] && item !== undefined) continue;
    const problem = list.associative ? indistinguishableReason(list, item) : undefined;
    // Upstream does not report what follows an item without keys either.
    if (problem !== undefined) return [...(found ?? []), ...typedError(`element ${at}: ${problem}`)];
    if (seen !== undefined) {
      const element = elementAt(list, item, at);
      if (seen.has(element)) (found ??= []).push(...typedError(`duplicate entries for key ${elementText(element)}`));
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

function validateMap(value: unknown, map: MapType, duplicates: boolean, known: unknown): readonly TypedError[] {
  if (value === null || value === undefined) return none;
  if (!isFields(value)) return typedError(`expected map, got &{${goValueText(value)}}`);
  const before: Fields | undefined = isFields(known) ? known : undefined;
  let found: TypedError[] | undefined;
  for (const name in value) {
    const item = value[name];
    if (item === undefined || (before !== undefined && before[name] === item)) continue;
    const type = typeOfField(map, name);
    // The first unknown field ends the validation, as upstream.
    if (type === undefined) return [...(found ?? []), { path: `.${name}`, message: "field not declared in schema" }];
    const inner = check(item, type, duplicates, before === undefined ? undefined : ownField(before, name));
    if (inner.length > 0) (found ??= []).push(...within(`.${name}`, inner));
  }
  return found ?? none;
}
