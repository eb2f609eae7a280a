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

/**
 * The errors of a value against its type. The value may be nested deeper than the stack allows: the collections around the one
 * that is being validated are in a list. Models structured-merge-diff typed/validate.go
 */
export function validateTyped(value: unknown, type: MergeType, options: ValidateTypedOptions = {}): readonly TypedError[] {
  const { duplicates = false, known } = options;
  const found: TypedError[] = [];
  const outermost = opened({ value, type, known, path: "" }, duplicates, found);
  const open = outermost === undefined ? [] : [outermost];
  for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
    const part = inner.at < inner.size ? nextPart(inner, duplicates, found) : undefined;
    if (part === undefined) open.pop();
    else if (part !== "valid") {
      const below = opened(part, duplicates, found);
      if (below !== undefined) open.push(below);
    }
  }
  return found;
}

/** A value that is to be validated, and where it is. */
type Part = { readonly value: unknown; readonly type: MergeType; readonly known: unknown; readonly path: string };

/** A map or list whose parts are being validated. */
type OpenCollection = (
  | { readonly fields: Fields; readonly names: readonly string[]; readonly map: MapType; readonly before: Fields | undefined }
  | {
      readonly items: readonly unknown[];
      readonly list: ListType;
      readonly before: readonly unknown[];
      readonly seen: Set<PathElement> | undefined;
    }
) & { readonly path: string; readonly size: number; at: number };

/** Reports what is wrong with a value but for its parts. A map or list whose parts are to be validated is returned. */
function opened({ value, type, known, path }: Part, duplicates: boolean, found: TypedError[]): OpenCollection | undefined {
  const wrong = (message: string): undefined => void found.push({ path, message });
  if (value === known && value !== undefined) return undefined;
  if (type.missing) return wrong(`schema error: no type found matching: ${type.name}`);
  const form = formOf(type, value);
  if (form === undefined) return wrong(`schema error: invalid atom: ${type.name === "inlined" ? "inlined" : `named type: ${type.name}`}`);
  if (value === null || value === undefined) return undefined;
  if (form === "scalar") {
    const problem = scalarProblem(value, type.scalar!);
    return problem === undefined ? undefined : wrong(problem);
  }
  if (form === "list") {
    if (!Array.isArray(value)) return wrong(`expected list, got &{${goValueText(value)}}`);
    const list = type.list!;
    const seen = list.associative && !duplicates ? new Set<PathElement>() : undefined;
    return { items: value, list, before: Array.isArray(known) ? known : [], seen, path, size: value.length, at: 0 };
  }
  if (!isFields(value)) return wrong(`expected map, got &{${goValueText(value)}}`);
  const names = Object.keys(value);
  return { fields: value, names, map: type.map!, before: isFields(known) ? known : undefined, path, size: names.length, at: 0 };
}

/** The next part of a collection. Undefined ends the validation of that collection. */
function nextPart(open: OpenCollection, duplicates: boolean, found: TypedError[]): Part | "valid" | undefined {
  return "map" in open ? nextField(open, found) : nextItem(open, duplicates, found);
}

function nextField(open: Extract<OpenCollection, { map: MapType }>, found: TypedError[]): Part | "valid" | undefined {
  const { fields, names, map, before, path } = open;
  const name = names[open.at++]!;
  const value = fields[name];
  if (value === undefined || (before !== undefined && before[name] === value)) return "valid";
  const type = typeOfField(map, name);
  // The first unknown field ends the validation, as upstream.
  if (type === undefined) return void found.push({ path: `${path}.${name}`, message: "field not declared in schema" });
  if (fitsAsScalar(value, type)) return "valid";
  return { value, type, known: before === undefined ? undefined : ownField(before, name), path: `${path}.${name}` };
}

function nextItem(open: Extract<OpenCollection, { list: ListType }>, duplicates: boolean, found: TypedError[]): Part | "valid" | undefined {
  const { items, list, before, seen, path } = open;
  const at = open.at++;
  const value = items[at];
  if (duplicates && value === before[at] && value !== undefined) return "valid";
  const problem = list.associative ? indistinguishableReason(list, value) : undefined;
  // Upstream does not report what follows an item without keys either.
  if (problem !== undefined) return void found.push({ path, message: `element ${at}: ${problem}` });
  if (seen !== undefined) {
    const element = elementAt(list, value, at);
    if (seen.has(element)) found.push({ path, message: `duplicate entries for key ${elementText(element)}` });
    seen.add(element);
  }
  if (fitsAsScalar(value, list.element)) return "valid";
  return { value, type: list.element, known: before[at], path: path + elementText(elementAt(list, value, at)) };
}

/** Most values are scalars that fit. */
function fitsAsScalar(value: unknown, { scalar }: MergeType): boolean {
  if (scalar === undefined || typeof value === "object") return false;
  return scalar === "untyped" || typeof value === (scalar === "numeric" ? "number" : scalar);
}

/** All errors in one text, in upstream's form. */
export function typedErrorText(errors: readonly TypedError[]): string {
  const lines = errors.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  return lines.length === 1 ? lines[0]! : ["errors:", ...lines.map((line) => `  ${line}`)].join("\n");
}

function scalarProblem(value: unknown, scalar: ScalarType): string | undefined {
  switch (scalar) {
    case "numeric":
      return typeof value === "number" ? undefined : `expected numeric (int or float), got ${goTypeName(value)}`;
    case "string":
      return typeof value === "string" ? undefined : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case "boolean":
      return typeof value === "boolean" ? undefined : `expected boolean, got &{${goValueText(value)}}`;
    case "untyped":
      return typeof value === "object" ? `expected any scalar, got &{${goValueText(value)}}` : undefined;
  }
}

function elementAt(list: ListType, item: unknown, at: number): PathElement {
  return (list.associative ? elementOfItem(list, item) : undefined) ?? `i:${at}`;
}
