import { Fault } from "../fault/index.ts";
import { isExactInteger } from "./exact-integer.ts";
import { isFields } from "./field.ts";
import { goText, goTypeOf } from "./go-text.ts";
import type { JsonPathListNode, JsonPathNode } from "./json-path-parser.ts";

type Missing = "nothing" | "error";

/** Evaluates a node for each of the given values. Models client-go util/jsonpath jsonpath.go. */
export function evaluateNode(node: JsonPathNode, values: readonly unknown[], missing: Missing): unknown[] {
  switch (node.type) {
    case "list":
      return evaluateList(node, values, missing);
    case "literal":
      return typeof node.value === "string" ? [node.value] : values.map(() => node.value);
    case "field":
      return fieldsOf(node.name, values, missing);
    case "slice":
      return slices(node, values);
    case "union":
      return node.lists.flatMap((list) => evaluateList(list, values, missing));
    case "filter":
      return values.flatMap((value) => filtered(node, value, missing));
    case "wildcard":
      return values.flatMap(membersOf);
    case "recursive":
      return descend(values);
    case "word":
      throw fault(`unrecognized identifier ${node.word}`);
  }
}

function evaluateList(list: JsonPathListNode, values: readonly unknown[], missing: Missing): unknown[] {
  let found: unknown[] = [...values];
  for (const node of list.nodes) found = evaluateNode(node, found, missing);
  return found;
}

function fieldsOf(name: string, values: readonly unknown[], missing: Missing): unknown[] {
  const found = values
    .filter((value) => isFields(value) && Object.hasOwn(value, name))
    .map((value) => (value as Record<string, unknown>)[name]);
  if (found.length === 0 && values.length > 0 && missing === "error") throw fault(`${name} is not found`);
  return found;
}

function slices(slice: Extract<JsonPathNode, { type: "slice" }>, values: readonly unknown[]): unknown[] {
  const found: unknown[] = [];
  for (const value of values) {
    if (value === null || value === undefined) continue;
    if (!Array.isArray(value)) throw fault(`${goTypeOf(value)} is not array or slice`);
    const part = sliceOf(slice, value);
    if (part === undefined) return found;
    found.push(...part);
  }
  return found;
}

/** Undefined for an empty slice, which ends the search. */
function sliceOf({ from, to, step, one }: Extract<JsonPathNode, { type: "slice" }>, list: readonly unknown[]): unknown[] | undefined {
  const count = list.length;
  const start = (from ?? 0) < 0 ? (from ?? 0) + count : (from ?? 0);
  const last = to ?? count;
  const end = last < 0 || (last === 0 && one) ? last + count : last;
  if (start === end) return undefined;
  if (start >= count || start < 0) throw fault(`array index out of bounds: index ${start}, length ${count}`);
  if (end > count || end < 0) throw fault(`array index out of bounds: index ${end - 1}, length ${count}`);
  if (start > end) throw fault(`starting index ${start} is greater than ending index ${end}`);
  if (step !== undefined && step <= 0) throw fault("step must be > 0");
  return list.slice(start, end).filter((_, index) => index % (step ?? 1) === 0);
}

function membersOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isFields(value) && !isExactInteger(value) ? Object.values(value) : [];
}

/** The values and everything nested in them, outermost first. Numbers, booleans and empty values are left out. */
function descend(values: readonly unknown[]): unknown[] {
  return values.flatMap((value) => {
    if (typeof value === "string") return value === "" ? [] : [value];
    const members = membersOf(value);
    return members.length === 0 ? [] : [value, ...descend(members)];
  });
}

function filtered({ left, operator, right }: Extract<JsonPathNode, { type: "filter" }>, value: unknown, missing: Missing): unknown[] {
  if (!Array.isArray(value)) throw fault(`${goText(value)} is not array or slice and cannot be filtered`);
  return value.filter((item: unknown) => {
    if (operator === "exists") return evaluateList(left, [item], "nothing").length > 0;
    const lefts = evaluateList(left, [item], missing);
    if (lefts.length === 0) return false;
    const rights = evaluateList(right, [item], missing);
    if (rights.length === 0) return false;
    if (lefts.length > 1 || rights.length > 1) throw fault("can only compare one element at a time");
    return compares(lefts[0], operator, rights[0]);
  });
}

function compares(left: unknown, operator: string, right: unknown): boolean {
  switch (operator) {
    case "==":
      return sameKind(left, right) && left === right;
    case "!=":
      return sameKind(left, right) && left !== right;
    case "<":
      return less(left, right);
    case "<=":
      return less(left, right) || left === right;
    case ">":
      return !less(left, right) && left !== right;
    case ">=":
      return !less(left, right);
    default:
      throw fault(`unrecognized filter operator ${operator}`);
  }
}

function less(left: unknown, right: unknown): boolean {
  sameKind(left, right);
  if (typeof left === "boolean") throw fault("invalid type for comparison");
  return (left as string) < (right as string);
}

/** True, or the error that Go's templates give for incomparable values. */
function sameKind(left: unknown, right: unknown): true {
  for (const value of [left, right])
    if (!["string", "number", "boolean"].includes(typeof value)) throw fault("invalid type for comparison");
  if (typeof left !== typeof right) throw fault("incompatible types for comparison");
  return true;
}

function fault(message: string): Fault {
  return new Fault(message, undefined, { final: true });
}
