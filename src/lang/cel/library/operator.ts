import { celAdd, celDivide, celModulo, celMultiply, celNegate, celSubtract } from "../arithmetic.ts";
import { declareDirect, global, takes, type Cost, type FunctionDeclaration, type Overload, type Parameter } from "../declaration.ts";
import { celCompare, celEqual, hasOrder } from "../equal.ts";
import { fail, noSuchOverload } from "../failure.ts";
import { Meter } from "../meter.ts";
import { sizeOf, traversal } from "../size.ts";
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType,
  typeParameter,
  stringType,
  timestampType,
  uintType,
  type CelType,
} from "../type.ts";
import type { CelValue } from "../value.ts";

type Kind = keyof typeof kinds;

const kinds = {
  bool: { takes: takes.bool, type: boolType },
  int: { takes: takes.int, type: intType },
  uint: { takes: takes.uint, type: uintType },
  double: { takes: takes.double, type: doubleType },
  string: { takes: takes.string, type: stringType },
  bytes: { takes: takes.bytes, type: bytesType },
  timestamp: { takes: takes.timestamp, type: timestampType },
  duration: { takes: takes.duration, type: durationType },
} as const satisfies Record<string, { takes: Parameter<CelValue>; type: CelType }>;

/** Declares an overload for the checker only: operators have one implementation that ignores overloads. */
function shape(id: string, left: Kind, right: Kind, result: CelType, cost?: Cost): Overload {
  return global(id, [kinds[left].takes, kinds[right].takes], result, () => noSuchOverload(), cost);
}

function direct(
  name: string,
  implementation: (left: CelValue, right: CelValue, meter: Meter) => CelValue,
  overloads: readonly Overload[],
): FunctionDeclaration {
  const call: Overload["call"] = (left, right, meter) => {
    if (!(meter instanceof Meter) || left instanceof Meter || right instanceof Meter || left === undefined || right === undefined)
      return noSuchOverload();
    return implementation(left, right, meter);
  };
  return declareDirect(name, call, ...overloads);
}

const bothOnce: Cost = ([left, right]) => traversal(sizeOf(left) + sizeOf(right));
const shorterOnce: Cost = ([left, right]) => traversal(Math.min(sizeOf(left), sizeOf(right)));

const anyList = listType(typeParameter("A"));

const sums = direct("_+_", celAdd, [
  shape("add_bytes", "bytes", "bytes", bytesType, bothOnce),
  shape("add_double", "double", "double", doubleType),
  shape("add_duration_duration", "duration", "duration", durationType),
  shape("add_duration_timestamp", "duration", "timestamp", timestampType),
  shape("add_timestamp_duration", "timestamp", "duration", timestampType),
  shape("add_int64", "int", "int", intType),
  global("add_list", [takes.any(anyList), takes.any(anyList)], anyList, () => noSuchOverload()),
  shape("add_string", "string", "string", stringType, bothOnce),
  shape("add_uint64", "uint", "uint", uintType),
]);

const differences = direct("_-_", celSubtract, [
  shape("subtract_double", "double", "double", doubleType),
  shape("subtract_duration_duration", "duration", "duration", durationType),
  shape("subtract_int64", "int", "int", intType),
  shape("subtract_timestamp_duration", "timestamp", "duration", timestampType),
  shape("subtract_timestamp_timestamp", "timestamp", "timestamp", durationType),
  shape("subtract_uint64", "uint", "uint", uintType),
]);

function ofNumbers(
  name: string,
  id: string,
  implementation: (left: CelValue, right: CelValue) => CelValue,
  types: readonly ("int" | "uint" | "double")[],
): FunctionDeclaration {
  return direct(
    name,
    implementation,
    types.map((type) => shape(`${id}_${type}`, type, type, kinds[type].type)),
  );
}

const ordered: readonly (readonly [Kind, Kind])[] = [
  ["bool", "bool"],
  ["int", "int"],
  ["int", "double"],
  ["int", "uint"],
  ["uint", "uint"],
  ["uint", "double"],
  ["uint", "int"],
  ["double", "double"],
  ["double", "int"],
  ["double", "uint"],
  ["string", "string"],
  ["bytes", "bytes"],
  ["timestamp", "timestamp"],
  ["duration", "duration"],
];

function comparison(name: string, holds: (order: number) => boolean): FunctionDeclaration {
  const overloads = ordered.map(([left, right]) =>
    shape(`${name}_${left}_${right}`, left, right, boolType, left === "string" || left === "bytes" ? shorterOnce : undefined),
  );
  const order = (left: CelValue, right: CelValue): number => {
    if (!hasOrder(left)) return fail(`no such overload: ${name}`);
    return celCompare(left, right) ?? noSuchOverload();
  };
  return direct(name, (left, right) => holds(order(left, right)), overloads);
}

const same = takes.any(typeParameter("A"));

/** The binary and unary operators that evaluate all their operands. */
export const operators: readonly FunctionDeclaration[] = [
  sums,
  differences,
  ofNumbers("_*_", "multiply", celMultiply, ["double", "int", "uint"]),
  ofNumbers("_/_", "divide", celDivide, ["double", "int", "uint"]),
  ofNumbers("_%_", "modulo", celModulo, ["int", "uint"]),
  comparison("_<_", (order) => order < 0),
  comparison("_<=_", (order) => order <= 0),
  comparison("_>_", (order) => order > 0),
  comparison("_>=_", (order) => order >= 0),
  direct("_==_", celEqual, [global("equals", [same, same], boolType, () => false, equalityCost)]),
  direct("_!=_", (left, right, meter) => !celEqual(left, right, meter), [
    global("not_equals", [same, same], boolType, () => false, equalityCost),
  ]),
  declareDirect(
    "-_",
    (value) => celNegate(asValue(value)),
    global("negate_double", [takes.double], doubleType, celNegate),
    global("negate_int64", [takes.int], intType, celNegate),
  ),
  declareDirect(
    "!_",
    (value) => (typeof value === "boolean" ? !value : noSuchOverload()),
    global("logical_not", [takes.bool], boolType, (value) => !value),
  ),
  {
    name: "_?_:_",
    overloads: [global("conditional", [takes.bool, same, same], typeParameter("A"), (test, yes, no) => (test ? yes : no))],
    mismatch: () => "no such overload",
  },
];

function equalityCost(args: readonly CelValue[]): number {
  return shorterOnce(args, null);
}

function asValue(value: CelValue | Meter | undefined): CelValue {
  return value === undefined || value instanceof Meter ? noSuchOverload() : value;
}
