import { machine, raise } from "../run/machine.ts";
import { typeName } from "../run/meta.ts";
import { toNumber } from "../run/operator.ts";
import { LuaTable } from "../run/table.ts";
import type { LuaFunction, LuaValue } from "../run/value.ts";
import { numberText } from "./number-text.ts";

/** The arguments of a library function. Positions count from 1, as they do in messages. */
export type Arguments = readonly LuaValue[];

/** An argument is wrong; the function is called what the script calls it. */
export function badArgument(position: number, message: string): never {
  const site = machine.sites[machine.depth - 1];
  const name = site === undefined || site.what === "" ? "?" : site.name;
  if (site?.what !== "method") return raise(`bad argument #${position} to '${name}' (${message})`);
  // The object of a method call is not counted.
  if (position === 1) return raise(`calling '${name}' on bad self (${message})`);
  return raise(`bad argument #${position - 1} to '${name}' (${message})`);
}

function badType(args: Arguments, position: number, expected: string): never {
  const found = position > args.length ? "no value" : typeName(args[position - 1]);
  return badArgument(position, `${expected} expected, got ${found}`);
}

export function anyAt(args: Arguments, position: number): LuaValue {
  if (position > args.length) badArgument(position, "value expected");
  return args[position - 1];
}

export function stringAt(args: Arguments, position: number): string {
  const value = args[position - 1];
  if (typeof value === "string") return value;
  return typeof value === "number" ? numberText(value) : badType(args, position, "string");
}

export function numberAt(args: Arguments, position: number): number {
  const value = args[position - 1];
  return typeof value === "number" ? value : (toNumber(value) ?? badType(args, position, "number"));
}

/** A number cut to a whole one, as C cuts it. */
export function integerAt(args: Arguments, position: number): number {
  const value = Math.trunc(numberAt(args, position));
  return Number.isFinite(value) ? value + 0 : -(2 ** 63);
}

export function tableAt(args: Arguments, position: number): LuaTable {
  const value = args[position - 1];
  return value instanceof LuaTable ? value : badType(args, position, "table");
}

export function functionAt(args: Arguments, position: number): LuaFunction {
  const value = args[position - 1];
  return typeof value === "function" ? value : badType(args, position, "function");
}

export function isMissing(args: Arguments, position: number): boolean {
  return args[position - 1] === undefined;
}

export function optionalString(args: Arguments, position: number, otherwise: string): string {
  return isMissing(args, position) ? otherwise : stringAt(args, position);
}

export function optionalInteger(args: Arguments, position: number, otherwise: number): number {
  return isMissing(args, position) ? otherwise : integerAt(args, position);
}
