import type { EstimateCall, Operand } from "./call-estimate.ts";
import { fixedSize, multiplySizes, plus, scaled, unknownSize, unlimited, type SizeEstimate } from "./size-estimate.ts";
import type { CelType } from "./type.ts";

/** A call, and the creation of the list that it returns. */
const newList = 11;

function returnsList(size: SizeEstimate, factor = 1): ReturnType<EstimateCall> {
  return { cost: plus(scaled(size.max, factor), newList), size };
}

/** The value of a literal that is an integer. */
function literalOr(operand: Operand | undefined, otherwise: number): number {
  const expr = operand?.expr;
  return expr?.op === "literal" && typeof expr.value === "bigint" ? Math.max(Number(expr.value), 0) : otherwise;
}

function sizeOf(operand: Operand | undefined): SizeEstimate {
  return operand?.size ?? unknownSize;
}

function squared(size: SizeEstimate, factor: number): ReturnType<EstimateCall> {
  return returnsList(multiplySizes(size, size), factor);
}

/** Texts take longer to compare. */
function sortFactor(list: CelType | undefined): number {
  const kind = list?.kind === "list" ? list.element.kind : undefined;
  return kind === "string" || kind === "bytes" ? 2.1 : 2;
}

function product(factor: number): EstimateCall {
  return ({ args: [left, right] }) => ({ cost: plus(scaled(multiplySizes(sizeOf(left), sizeOf(right)).max, factor), 1) });
}

/** Functions of cel-go's libraries of lists and sets. Models cel-go ext/lists.go, ext/sets.go */
export const listCalls: Readonly<Record<string, EstimateCall>> = {
  slice: ({ target, args: [start, end] }) => {
    const size = literalOr(end, sizeOf(target).max) - literalOr(start, 0);
    return returnsList(fixedSize(size < 0 ? unlimited : size));
  },
  flatten: ({ target, args: [depth] }) => returnsList(sizeOf(target), depth === undefined ? 1 : literalOr(depth, unlimited)),
  "lists.range": ({ args: [length] }) => returnsList(fixedSize(literalOr(length, unlimited))),
  reverse: ({ target }) => returnsList(sizeOf(target)),
  distinct: ({ target }) => squared(sizeOf(target), 2),
  sort: ({ target, parameters: [list] }) => squared(sizeOf(target), sortFactor(list)),
  "@sortByAssociatedKeys": ({ args: [keys], parameters: [, list] }) => squared(sizeOf(keys), sortFactor(list)),
  "sets.contains": product(1),
  "sets.intersects": product(1),
  "sets.equivalent": product(2),
};
