import { machine } from "./machine.ts";
import type { LuaTable } from "./table.ts";
import type { LuaFunction } from "./value.ts";

/** The environment of a function: the table of its globals. Only scripts that name `getfenv` or `setfenv` have one per function. */
export type FunctionEnvironment = { globals: LuaTable };

const environments = new WeakMap<LuaFunction, FunctionEnvironment>();

/** Creates a function that inherits the globals of its creator. */
export function withEnvironment(make: (own: FunctionEnvironment) => LuaFunction, maker: FunctionEnvironment): LuaFunction {
  const own = { globals: maker.globals };
  const made = make(own);
  environments.set(made, own);
  return made;
}

export function environmentOf(f: LuaFunction): FunctionEnvironment | undefined {
  return environments.get(f);
}

/** The environment of the function at a stack level. Level 1 called the running library function. */
export function environmentAt(level: number): FunctionEnvironment | undefined {
  return machine.environments[machine.depth - 1 - level];
}
