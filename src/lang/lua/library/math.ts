import { machine } from "../run/machine.ts";
import { power } from "../run/operator.ts";
import type { LuaFunction, LuaValue } from "../run/value.ts";
import { argError, integerArg, numberArg } from "./argument.ts";

function one(compute: (x: number) => number): LuaFunction {
  return (...args) => compute(numberArg(args, 1));
}

function two(compute: (x: number, y: number) => number): LuaFunction {
  return (...args) => compute(numberArg(args, 1), numberArg(args, 2));
}

function extreme(better: (x: number, y: number) => boolean): LuaFunction {
  return (...args) => {
    let best = numberArg(args, 1);
    for (let position = 2; position <= args.length; position++) {
      const value = numberArg(args, position);
      if (better(value, best)) best = value;
    }
    return best;
  };
}

function random(...args: LuaValue[]): number {
  const random = machine.host.random();
  if (args.length === 0) return random;
  const low = args.length === 1 ? 1 : integerArg(args, 1);
  const high = integerArg(args, args.length === 1 ? 1 : 2);
  if (low > high) argError(args.length === 1 ? 1 : 2, "interval is empty");
  return Math.floor(random * (high - low + 1)) + low;
}

function fractionAndExponent(value: number): LuaValue[] {
  if (value === 0 || !Number.isFinite(value)) return [value, 0];
  let exponent = Math.max(-1074, Math.floor(Math.log2(Math.abs(value))) + 1);
  let fraction = value * 2 ** -exponent;
  // The logarithm may be off by one, and a subnormal has no exact power of two.
  while (Math.abs(fraction) >= 1) {
    fraction /= 2;
    exponent += 1;
  }
  while (Math.abs(fraction) < 0.5) {
    fraction *= 2;
    exponent -= 1;
  }
  return [fraction, exponent];
}

/** Scales in two steps, because the power alone may overflow. */
function scaled(fraction: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return fraction * 2 ** half * 2 ** (exponent - half);
}

function wholeAndRest(value: number): LuaValue[] {
  const whole = Math.trunc(value);
  const rest = Number.isFinite(value) ? Math.abs(value - whole) : Math.abs(value) === Infinity ? 0 : value;
  return [whole, value < 0 || Object.is(value, -0) ? -rest : rest];
}

/** The library `math`. */
export const mathLibrary: Readonly<Record<string, LuaFunction | number>> = {
  huge: Infinity,
  pi: Math.PI,
  abs: one(Math.abs),
  acos: one(Math.acos),
  asin: one(Math.asin),
  atan: one(Math.atan),
  atan2: two(Math.atan2),
  ceil: one(Math.ceil),
  cos: one(Math.cos),
  cosh: one(Math.cosh),
  deg: one((x) => x / (Math.PI / 180)),
  exp: one(Math.exp),
  floor: one(Math.floor),
  fmod: two((x, y) => x % y),
  frexp: (...args) => fractionAndExponent(numberArg(args, 1)),
  ldexp: two((x, y) => scaled(x, Math.trunc(y))),
  log: one(Math.log),
  log10: one(Math.log10),
  max: extreme((x, y) => x > y),
  min: extreme((x, y) => x < y),
  mod: two((x, y) => x % y),
  modf: (...args) => wholeAndRest(numberArg(args, 1)),
  pow: two(power),
  rad: one((x) => x * (Math.PI / 180)),
  random,
  // The host supplies randomness; a script cannot seed it.
  randomseed: () => [],
  sin: one(Math.sin),
  sinh: one(Math.sinh),
  sqrt: one(Math.sqrt),
  tan: one(Math.tan),
  tanh: one(Math.tanh),
};
