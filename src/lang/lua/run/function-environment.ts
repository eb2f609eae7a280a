import { machine } from "./machine.ts";
import type { LuaTable } from "./table.ts";
import type { LuaFunction } from "./value.ts";

/** The table that a function has its globals in. Only scripts that name `getfenv` or `setfenv` keep one a function. */
export type FunctionEnvironment = { globals: LuaTable };

const environments = new WeakMap<LuaFunction, FunctionEnvironment>();

/** Makes a function whose globals are, to begin with, those of the function that makes it. */
export function withEnvironment(make: (own: FunctionEnvironment) => LuaFunction, maker: FunctionEnvironment): LuaFunction {
  const own = { globals: maker.globals };
  const made = make(own);
  environments.set(made, own);
  return made;
}

export function environmentOf(f: LuaFunction): FunctionEnvironment | undefined {
  return environments.get(f);
}

/** The environment of the function at a level: 1 is the one that called the library function at work. */
export function environmentAt(level: number): FunctionEnvironment | undefined {
  return machine.environments[machine.depth - 1 - level];
}
