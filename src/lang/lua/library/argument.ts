import { machine, raise, spend } from "../run/machine.ts";
import { luaTypeName } from "../run/metatable.ts";
import { toNumber } from "../run/operator.ts";
import { LuaTable } from "../run/table.ts";
import type { LuaFunction, LuaValue } from "../run/value.ts";
import { numberText } from "./number-text.ts";

/** The arguments of a library function. Positions count from 1, as in messages. */
export type Arguments = readonly LuaValue[];

/** Raises an argument error that names the function as the script does. */
export function argError(position: number, message: string): never {
  const location = machine.callStack[machine.depth - 1];
  const name = location === undefined || location.what === "" ? "?" : location.name;
  if (location?.what !== "method") return raise(`bad argument #${position} to '${name}' (${message})`);
  // The receiver of a method call is not counted.
  if (position === 1) return raise(`calling '${name}' on bad self (${message})`);
  return raise(`bad argument #${position - 1} to '${name}' (${message})`);
}

function badType(args: Arguments, position: number, expected: string): never {
  const found = position > args.length ? "no value" : luaTypeName(args[position - 1]);
  return argError(position, `${expected} expected, got ${found}`);
}

export function anyArg(args: Arguments, position: number): LuaValue {
  if (position > args.length) argError(position, "value expected");
  return args[position - 1];
}

export function stringArg(args: Arguments, position: number): string {
  const value = args[position - 1];
  if (typeof value === "string") return value;
  return typeof value === "number" ? numberText(value) : badType(args, position, "string");
}

export function numberArg(args: Arguments, position: number): number {
  const value = args[position - 1];
  return typeof value === "number" ? value : (toNumber(value) ?? badType(args, position, "number"));
}

/** Truncates a number to an integer, as C does. */
export function integerArg(args: Arguments, position: number): number {
  const value = Math.trunc(numberArg(args, position));
  return Number.isFinite(value) ? value + 0 : -(2 ** 63);
}

export function tableArg(args: Arguments, position: number): LuaTable {
  const value = args[position - 1];
  return value instanceof LuaTable ? value : badType(args, position, "table");
}

export function functionArg(args: Arguments, position: number): LuaFunction {
  const value = args[position - 1];
  return typeof value === "function" ? value : badType(args, position, "function");
}

export function isArgMissing(args: Arguments, position: number): boolean {
  return args[position - 1] === undefined;
}

export function optionalStringArg(args: Arguments, position: number, otherwise: string): string {
  return isArgMissing(args, position) ? otherwise : stringArg(args, position);
}

export function optionalIntegerArg(args: Arguments, position: number, otherwise: number): number {
  return isArgMissing(args, position) ? otherwise : integerArg(args, position);
}

/** Functions that charge the texts they get before they work, as native code reads them. What takes longer charges more itself. */
export function charged<F extends Readonly<Record<string, LuaFunction>>>(functions: F): F {
  const entries = Object.entries(functions).map(([name, call]): [string, LuaFunction] => [
    name,
    (...args) => {
      for (const argument of args) if (typeof argument === "string" && argument.length > 64) spend(argument.length >> 6);
      return call(...args);
    },
  ]);
  return Object.fromEntries(entries) as F;
}

/** Charges a search, which may compare the whole part at every position. */
export function chargeSearch(text: string, part: string): void {
  spend((text.length >> 6) + (part.length > 32 ? (text.length * part.length) / 512 : 0));
}
