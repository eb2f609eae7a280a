import { checkedInt64 } from "../arithmetic.ts";
import { declare, global, takes, type FunctionDeclaration, type Overload, type Parameter } from "../declaration.ts";
import { celCompare } from "../equal.ts";
import { fail, noSuchOverload } from "../failure.ts";
import { boolType, doubleType, dynType, intType, uintType, type CelType } from "../type.ts";
import { Uint, type ListValue, type CelValue } from "../value.ts";

const numbers = {
  double: { takes: takes.double, type: doubleType },
  int: { takes: takes.int, type: intType },
  uint: { takes: takes.uint, type: uintType },
};
type Numeric = keyof typeof numbers;
const names: readonly Numeric[] = ["double", "int", "uint"];

/** The maximum when `sign` is 1, the minimum when it is -1. The first of equal values wins. */
function extreme(name: string, sign: number): FunctionDeclaration {
  const pick = (best: CelValue, each: CelValue): CelValue => ((celCompare(each, best) ?? noSuchOverload()) === sign ? each : best);
  const pairs = names.flatMap((left) =>
    names.map((right) =>
      global(`math_${name}_${left}_${right}`, [anyOf(left), anyOf(right)], left === right ? numbers[left].type : dynType, pick),
    ),
  );
  return declare(
    `math.${name}`,
    ...names.map((each) => global(`math_${name}_${each}`, [anyOf(each)], numbers[each].type, (value) => value)),
    ...pairs,
    ...names.map((each) =>
      global(`math_${name}_list_${each}`, [takes.list(numbers[each].type)], numbers[each].type, (list) => extremeOf(list, name, pick)),
    ),
  );
}

function anyOf(name: Numeric): Parameter<CelValue> {
  const { takes: parameter } = numbers[name];
  return { type: parameter.type, is: (value): value is CelValue => parameter.is(value) };
}

function extremeOf(list: ListValue, name: string, pick: (best: CelValue, each: CelValue) => CelValue): CelValue {
  if (list.size === 0) return fail(`math.${name}(list) argument must not be empty`);
  let best = list.at(0);
  for (let index = 1; index < list.size; index++) best = pick(best, list.at(index));
  return best;
}

function ofDouble<T extends CelValue>(name: string, result: CelType, compute: (value: number) => T): FunctionDeclaration {
  return declare(`math.${name}`, global(`math_${name}_double`, [takes.double], result, compute));
}

/** Rounds half away from zero, as Go does. */
function round(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value));
}

function bitwise(name: string, compute: (left: bigint, right: bigint) => bigint): FunctionDeclaration {
  return declare(
    `math.${name}`,
    global(`math_${name}_int_int`, [takes.int, takes.int], intType, compute),
    global(`math_${name}_uint_uint`, [takes.uint, takes.uint], uintType, (left, right) => new Uint(compute(left.value, right.value))),
  );
}

function shift(name: string, compute: (value: bigint, by: bigint) => bigint): FunctionDeclaration {
  const by = (offset: bigint): bigint => (offset < 0n ? fail(`math.${name}() negative offset: ${offset}`) : offset);
  const shifted = (value: bigint, offset: bigint): bigint => (by(offset) > 63n ? 0n : compute(BigInt.asUintN(64, value), offset));
  return declare(
    `math.${name}`,
    global(`math_${name}_int_int`, [takes.int, takes.int], intType, (value, offset) => BigInt.asIntN(64, shifted(value, offset))),
    global(
      `math_${name}_uint_int`,
      [takes.uint, takes.int],
      uintType,
      ({ value }, offset) => new Uint(BigInt.asUintN(64, shifted(value, offset))),
    ),
  );
}

function sign(value: bigint): bigint {
  if (value === 0n) return 0n;
  return value > 0n ? 1n : -1n;
}

function roots(): readonly Overload[] {
  return [
    global("math_sqrt_double", [takes.double], doubleType, Math.sqrt),
    global("math_sqrt_int", [takes.int], doubleType, (value) => Math.sqrt(Number(value))),
    global("math_sqrt_uint", [takes.uint], doubleType, ({ value }) => Math.sqrt(Number(value))),
  ];
}

/** The math functions of cel-go, which Kubernetes leaves out. */
export const math: readonly FunctionDeclaration[] = [
  extreme("@max", 1),
  extreme("@min", -1),
  ofDouble("ceil", doubleType, Math.ceil),
  ofDouble("floor", doubleType, Math.floor),
  ofDouble("round", doubleType, round),
  ofDouble("trunc", doubleType, Math.trunc),
  ofDouble("isInf", boolType, (value) => Math.abs(value) === Number.POSITIVE_INFINITY),
  ofDouble("isNaN", boolType, Number.isNaN),
  ofDouble("isFinite", boolType, Number.isFinite),
  declare(
    "math.abs",
    global("math_abs_double", [takes.double], doubleType, Math.abs),
    global("math_abs_int", [takes.int], intType, (value) => checkedInt64(value < 0n ? -value : value)),
    global("math_abs_uint", [takes.uint], uintType, (value) => value),
  ),
  declare(
    "math.sign",
    global("math_sign_double", [takes.double], doubleType, (value) => (value === 0 ? 0 : Math.sign(value))),
    global("math_sign_int", [takes.int], intType, sign),
    global("math_sign_uint", [takes.uint], uintType, ({ value }) => new Uint(sign(value))),
  ),
  declare("math.sqrt", ...roots()),
  bitwise("bitAnd", (left, right) => left & right),
  bitwise("bitOr", (left, right) => left | right),
  bitwise("bitXor", (left, right) => left ^ right),
  declare(
    "math.bitNot",
    global("math_bitNot_int_int", [takes.int], intType, (value) => ~value),
    global("math_bitNot_uint_uint", [takes.uint], uintType, ({ value }) => new Uint(BigInt.asUintN(64, ~value))),
  ),
  shift("bitShiftLeft", (value, by) => value << by),
  shift("bitShiftRight", (value, by) => value >> by),
];
