import { call1, call2, operandName } from "./call.ts";
import { metamethod, luaTypeName } from "./metatable.ts";
import { allocateString, machine, outOfFuel, raiseAt, type DebugLocation } from "./machine.ts";
import { parseNumber } from "../compile/number.ts";
import { numberText } from "../library/number-text.ts";
import { LuaTable } from "./table.ts";
import { firstValue, isTruthy, type LuaValue } from "./value.ts";

/** Converts a number or a numeric string. */
export function toNumber(value: LuaValue): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" ? parseNumber(value) : undefined;
}

/** The remainder has the sign of the divisor. It is computed from the quotient, as in C. */
function floorModulo(a: number, b: number): number {
  return a - Math.floor(a / b) * b;
}

/** The power as C defines it: 1 to any power is 1, and so is -1 to an infinite one. */
export function power(a: number, b: number): number {
  return a === 1 || (a === -1 && (b === Infinity || b === -Infinity)) ? 1 : a ** b;
}

const operations = {
  __add: (a: number, b: number) => a + b,
  __sub: (a: number, b: number) => a - b,
  __mul: (a: number, b: number) => a * b,
  __div: (a: number, b: number) => a / b,
  __mod: floorModulo,
  __pow: power,
  __unm: (a: number) => -a,
};

function arithmetic(event: keyof typeof operations, a: LuaValue, b: LuaValue, location: DebugLocation): LuaValue {
  const x = toNumber(a);
  const y = toNumber(b);
  if (x !== undefined && y !== undefined) return operations[event](x, y);
  const handler = metamethod(a, event) ?? metamethod(b, event);
  if (handler !== undefined) return firstValue(call2({ ...location, what: "" }, handler, a, b));
  const blame = x === undefined ? a : b;
  const what = x === undefined ? operandName(location.what, location.name) : operandName(location.otherWhat, location.otherName);
  return raiseAt(location, `attempt to perform arithmetic on${parenthesised(what, blame)}`);
}

function parenthesised(what: string, value: LuaValue): string {
  return what === "" ? ` a ${luaTypeName(value)} value` : `${what} (a ${luaTypeName(value)} value)`;
}

export function luaAdd(a: LuaValue, b: LuaValue, location: DebugLocation): LuaValue {
  return typeof a === "number" && typeof b === "number" ? a + b : arithmetic("__add", a, b, location);
}

export function luaSubtract(a: LuaValue, b: LuaValue, location: DebugLocation): LuaValue {
  return typeof a === "number" && typeof b === "number" ? a - b : arithmetic("__sub", a, b, location);
}

export function luaMultiply(a: LuaValue, b: LuaValue, location: DebugLocation): LuaValue {
  return typeof a === "number" && typeof b === "number" ? a * b : arithmetic("__mul", a, b, location);
}

export function luaDivide(a: LuaValue, b: LuaValue, location: DebugLocation): LuaValue {
  return typeof a === "number" && typeof b === "number" ? a / b : arithmetic("__div", a, b, location);
}

export function luaModulo(a: LuaValue, b: LuaValue, location: DebugLocation): LuaValue {
  return typeof a === "number" && typeof b === "number" ? floorModulo(a, b) : arithmetic("__mod", a, b, location);
}

export function luaPower(a: LuaValue, b: LuaValue, location: DebugLocation): LuaValue {
  return typeof a === "number" && typeof b === "number" ? power(a, b) : arithmetic("__pow", a, b, location);
}

export function luaNegate(a: LuaValue, location: DebugLocation): LuaValue {
  return typeof a === "number" ? -a : arithmetic("__unm", a, a, location);
}

export function luaConcat(a: LuaValue, b: LuaValue, location: DebugLocation): LuaValue {
  const left = typeof a === "string" ? a : typeof a === "number" ? numberText(a) : undefined;
  const right = typeof b === "string" ? b : typeof b === "number" ? numberText(b) : undefined;
  if (left !== undefined && right !== undefined) {
    allocateString(left.length + right.length, location);
    return left + right;
  }
  const handler = metamethod(a, "__concat") ?? metamethod(b, "__concat");
  if (handler !== undefined) return firstValue(call2({ ...location, what: "" }, handler, a, b));
  const what = left === undefined ? operandName(location.what, location.name) : operandName(location.otherWhat, location.otherName);
  return raiseAt(location, `attempt to concatenate${parenthesised(what, left === undefined ? a : b)}`);
}

export function luaLength(value: LuaValue, location: DebugLocation): LuaValue {
  // The length of a table cannot be redefined in Lua 5.1.
  if (value instanceof LuaTable) return value.length;
  if (typeof value === "string") return value.length;
  const handler = metamethod(value, "__len");
  if (handler !== undefined) return firstValue(call1(location, handler, value));
  return raiseAt(location, `attempt to get length of${parenthesised(operandName(location.what, location.name), value)}`);
}

export function luaEqual(a: LuaValue, b: LuaValue): boolean {
  if (typeof a === "string" && typeof b === "string") {
    if (a.length > 256 && a.length === b.length) spendOnText(a.length);
    return a === b;
  }
  if (a === b) return true;
  return (
    a instanceof LuaTable && b instanceof LuaTable && a.meta !== undefined && b.meta !== undefined && equalByMeta(a, b, a.meta, b.meta)
  );
}

function equalByMeta(a: LuaTable, b: LuaTable, one: LuaTable, other: LuaTable): boolean {
  const handler = one.getName("__eq");
  if (handler === undefined || handler !== other.getName("__eq")) return false;
  return isTruthy(firstValue(call2(undefined, handler, a, b)));
}

export function luaLess(a: LuaValue, b: LuaValue, location: DebugLocation | undefined): boolean {
  if (typeof a === "number" && typeof b === "number") return a < b;
  if (typeof a === "string" && typeof b === "string") return chargeComparison(a, b) && a < b;
  const handler = comparison(a, b, "__lt");
  return handler === undefined
    ? raiseCompare(a, b, location)
    : isTruthy(firstValue(call2(location && { ...location, what: "" }, handler, a, b)));
}

export function luaLessOrEqual(a: LuaValue, b: LuaValue, location: DebugLocation | undefined): boolean {
  if (typeof a === "number" && typeof b === "number") return a <= b;
  if (typeof a === "string" && typeof b === "string") return chargeComparison(a, b) && a <= b;
  const handler = comparison(a, b, "__le");
  if (handler !== undefined) return isTruthy(firstValue(call2(location && { ...location, what: "" }, handler, a, b)));
  const reverse = comparison(b, a, "__lt");
  return reverse === undefined
    ? raiseCompare(a, b, location)
    : !isTruthy(firstValue(call2(location && { ...location, what: "" }, reverse, b, a)));
}

/** Comparison requires the same handler on both sides. */
function comparison(a: LuaValue, b: LuaValue, event: string): LuaValue {
  if (luaTypeName(a) !== luaTypeName(b)) return undefined;
  const handler = metamethod(a, event);
  return handler !== undefined && handler === metamethod(b, event) ? handler : undefined;
}

function raiseCompare(a: LuaValue, b: LuaValue, location: DebugLocation | undefined): never {
  const [one, other] = [luaTypeName(a), luaTypeName(b)];
  return raiseAt(location, one === other ? `attempt to compare two ${one} values` : `attempt to compare ${one} with ${other}`);
}

function chargeComparison(a: string, b: string): true {
  if (a.length > 256 && b.length > 256) spendOnText(Math.min(a.length, b.length));
  return true;
}

function spendOnText(length: number): void {
  machine.fuel -= length >> 6;
  if (machine.fuel < 0) outOfFuel();
}

export function luaGreater(a: LuaValue, b: LuaValue, location: DebugLocation | undefined): boolean {
  return luaLess(b, a, location);
}

export function luaGreaterOrEqual(a: LuaValue, b: LuaValue, location: DebugLocation | undefined): boolean {
  return luaLessOrEqual(b, a, location);
}
