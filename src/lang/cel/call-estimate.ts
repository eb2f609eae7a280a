import type { Expr } from "./ast.ts";
import { listCalls } from "./list-call-estimate.ts";
import {
  addSizes,
  fixedSize,
  multiplySizes,
  plus,
  scaled,
  times,
  uniteSizes,
  unknownSize,
  unlimited,
  type SizeEstimate,
} from "./size-estimate.ts";
import { isSameType, type CelType } from "./type.ts";

/** A target or an argument of a call. */
export type Operand = {
  readonly expr: Expr;
  readonly type: CelType;
  readonly size: SizeEstimate;
  /** Whether the size is known, however roughly. */
  readonly isSized: boolean;
  /** The size of the elements of a list; undefined when it is not a list. */
  readonly element: SizeEstimate | undefined;
};

/** A call of one overload. */
type EstimatedCall = {
  readonly target: Operand | undefined;
  readonly args: readonly Operand[];
  /** The types of the overload's parameters, that of the target first. */
  readonly parameters: readonly CelType[];
};

/** The most that a call costs, without its arguments, and the size of its result if that is known. */
export type CallEstimate = { readonly cost: number; readonly size?: SizeEstimate };

export type EstimateCall = (call: EstimatedCall) => CallEstimate | undefined;

const perCharacter = 0.1;
const perPatternCharacter = 0.25;

function sizeOf(operand: Operand | undefined): SizeEstimate {
  return operand?.size ?? unknownSize;
}

/** The cost of reading a text once. */
function traversal({ max }: SizeEstimate): number {
  return scaled(max, perCharacter);
}

const readsArgument: EstimateCall = ({ args: [text] }) => ({ cost: traversal(sizeOf(text)) });

/** The result is a part of the text, or as long. */
const readsTarget: EstimateCall = ({ target }) => ({ cost: traversal(sizeOf(target)), size: sizeOf(target) });

const matches: EstimateCall = ({ target, args: [pattern] }) => {
  if (target === undefined) return undefined;
  const text = traversal(addSizes(target.size, fixedSize(1)));
  return { cost: times(text, scaled(sizeOf(pattern).max, perPatternCharacter)) };
};

const finds: EstimateCall = (call) => {
  const estimate = matches(call);
  return estimate === undefined ? undefined : { ...estimate, size: { min: 0, max: sizeOf(call.target).max } };
};

const aggregates: EstimateCall = ({ target }) => {
  if (target === undefined) return undefined;
  if (target.element === undefined) return { cost: traversal(target.size) };
  const isText = target.type.kind === "list" && (target.type.element.kind === "string" || target.type.element.kind === "bytes");
  return { cost: times(target.size.max, isText ? plus(1, traversal(target.element)) : 1) };
};

const replaces: EstimateCall = ({ target, args: [old, replacement] }) => {
  const [text, from, to] = [sizeOf(target), sizeOf(old), sizeOf(replacement)];
  const longest =
    from.min === 0
      ? { count: plus(text.max, 1), kept: text.max }
      : to.max <= from.min
        ? { count: 0, kept: text.max }
        : { count: Math.ceil(text.max / from.min), kept: 0 };
  const shortest =
    from.max === 0
      ? { count: plus(text.min, 1), kept: text.min }
      : from.max <= to.min
        ? { count: 0, kept: text.min }
        : { count: Math.ceil(text.min / from.max), kept: 0 };
  const replaced = multiplySizes({ min: shortest.count, max: longest.count }, to);
  return { cost: scaled(text.max, 2 * perCharacter), size: addSizes(replaced, { min: shortest.kept, max: longest.kept }) };
};

const splits: EstimateCall = ({ target, args: [, limit] }) => {
  const { max } = sizeOf(target);
  const most = limit?.expr.op === "literal" && typeof limit.expr.value === "bigint" ? Number(limit.expr.value) : max;
  return { cost: scaled(max, 2 * perCharacter), size: { min: 0, max: most < 0 ? unlimited : most } };
};

const joins: EstimateCall = ({ target, args: [separator] }) => {
  const list = sizeOf(target);
  const texts = target?.element === undefined ? fixedSize(0) : multiplySizes(list, target.element);
  const gaps = { min: Math.max(list.min - 1, 0), max: Math.max(list.max - 1, 0) };
  const size = separator === undefined ? texts : addSizes(texts, multiplySizes(separator.size, gaps));
  return { cost: traversal(size), size };
};

/** The addresses of a network have up to 16 bytes; a text that is compared with them is parsed. */
function containment(base: number): EstimateCall {
  return ({ args: [other], parameters }) => ({ cost: parameters[1]?.kind === "string" ? plus(base, traversal(sizeOf(other))) : base });
}

const equals: EstimateCall = (call) => {
  const [left, right] = call.args;
  if (left !== undefined && right !== undefined && left.type.kind === "opaque" && isSameType(left.type, right.type)) {
    const { name } = left.type;
    if (name === "kubernetes.NamedFormat") return { cost: 7 };
    if (name === "kubernetes.URL") return { cost: right.isSized ? traversal(right.size) : 1 };
    if (atoms.has(name)) return { cost: 1 };
  }
  return compares(call);
};

/** Types whose values are compared at once. */
const atoms: ReadonlySet<string> = new Set(["net.IP", "net.CIDR", "kubernetes.Quantity", "kubernetes.Semver"]);

const compares: EstimateCall = ({ args: [left, right] }) => ({ cost: scaled(Math.min(sizeOf(left).max, sizeOf(right).max), perCharacter) });

/** Comparisons of numbers and times cost 1. */
const orders: EstimateCall = (call) => {
  const kind = call.parameters[0]?.kind;
  return kind === "string" || kind === "bytes" ? compares(call) : undefined;
};

const adds: EstimateCall = ({ args: [left, right], parameters: [kind] }) => {
  const size = addSizes(sizeOf(left), sizeOf(right));
  if (kind?.kind === "list") return { cost: 1, size };
  return kind?.kind === "string" || kind?.kind === "bytes" ? { cost: traversal(size), size } : undefined;
};

const calls: Readonly<Record<string, EstimateCall | undefined>> = {
  ...listCalls,
  isSorted: aggregates,
  sum: aggregates,
  max: aggregates,
  min: aggregates,
  indexOf: aggregates,
  lastIndexOf: aggregates,
  lowerAscii: readsTarget,
  upperAscii: readsTarget,
  substring: readsTarget,
  trim: readsTarget,
  replace: replaces,
  split: splits,
  join: joins,
  matches,
  find: finds,
  findAll: finds,
  url: (call) => ({ cost: traversal(sizeOf(call.args[0])), size: sizeOf(call.args[0]) }),
  cidr: readsArgument,
  isIP: readsArgument,
  isCIDR: readsArgument,
  quantity: readsArgument,
  isQuantity: readsArgument,
  semver: readsArgument,
  isSemver: readsArgument,
  startsWith: readsArgument,
  endsWith: readsArgument,
  ip: (call) => (call.target === undefined ? readsArgument(call) : undefined),
  "ip.isCanonical": ({ args: [text] }) => ({ cost: scaled(sizeOf(text).max, 2 * perCharacter) }),
  containsIP: containment(4),
  containsCIDR: containment(7),
  // Kubernetes takes the pattern of a format to have 128 characters.
  validate: ({ args: [text] }) => ({ cost: scaled(traversal(sizeOf(text)), 128 * perPatternCharacter) }),
  format: ({ target }) => ({ cost: traversal(sizeOf(target)) }),
  contains: ({ target, args: [part] }) => ({ cost: times(traversal(sizeOf(target)), traversal(sizeOf(part))) }),
  bytes: ({ args: [text], parameters: [kind] }) => {
    const size = sizeOf(text);
    return kind?.kind === "string" ? { cost: traversal(size), size: { min: size.min, max: times(size.max, 4) } } : undefined;
  },
  string: ({ args: [bytes], parameters: [kind] }) => {
    const size = sizeOf(bytes);
    return kind?.kind === "bytes" ? { cost: traversal(size), size: { min: Math.floor(size.min / 4), max: size.max } } : undefined;
  },
  "strings.quote": ({ args: [text] }) => {
    const size = sizeOf(text);
    // cel-go's sum wraps to 0 here when the size is unknown.
    return { cost: traversal(size), size: { min: size.min + 2, max: size.max === unlimited ? 0 : size.max * 2 + 2 } };
  },
  "@in": ({ args: [, list], parameters: [, kind] }) => (kind?.kind === "list" ? { cost: sizeOf(list).max } : undefined),
  "_==_": equals,
  "_!=_": compares,
  "_<_": orders,
  "_<=_": orders,
  "_>_": orders,
  "_>=_": orders,
  "_+_": adds,
  "_?_:_": ({ args: [, yes, no] }) => ({ cost: 0, size: uniteSizes(sizeOf(yes), sizeOf(no)) }),
};

/**
 * Estimates a call of a function. What is not in the table costs 1.
 *
 * Models cel-go checker/cost.go functionCost, apiserver pkg/cel/library/cost.go EstimateCallCost
 */
export function estimateCall(name: string, call: EstimatedCall): CallEstimate {
  return (Object.hasOwn(calls, name) ? calls[name]?.(call) : undefined) ?? { cost: 1 };
}
