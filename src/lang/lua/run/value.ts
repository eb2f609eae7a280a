import type { Coroutine } from "./coroutine.ts";
import type { LuaTable } from "./table.ts";

/** A Lua value. Nil is `undefined`, numbers are doubles, strings hold one byte per character, functions are JavaScript functions. */
export type LuaValue = undefined | boolean | number | string | LuaTable | Coroutine | LuaFunction;

/** The result of a call: one value as itself, none or several as an array. No Lua value is an array, so the forms are distinct. */
export type LuaResult = LuaValue | LuaValue[];

export type LuaFunction = {
  (...args: LuaValue[]): LuaResult;
  /** The same function as a generator, in scripts that use coroutines. */
  generator?: (...args: LuaValue[]) => Generator<LuaValue[], LuaResult, LuaValue[]>;
};

/** The result of a function that returns no values. Must not be changed. */
export const noValues: LuaValue[] = [];

/** The first value of a result. */
export function firstValue(result: LuaResult): LuaValue {
  return Array.isArray(result) ? result[0] : result;
}

/** All values of a result. */
export function allValues(result: LuaResult): LuaValue[] {
  return Array.isArray(result) ? result : [result];
}

export function isTruthy(value: LuaValue): boolean {
  return value !== undefined && value !== false;
}

const numbers = new WeakMap<object, number>();
let numbered = 0;

/** The pseudo address of a table, function or coroutine. */
export function objectAddress(value: object): string {
  let number = numbers.get(value);
  if (number === undefined) {
    numbered += 1;
    number = numbered;
    numbers.set(value, number);
  }
  return `0x${(0x55550000 + number * 16).toString(16).padStart(12, "0")}`;
}
