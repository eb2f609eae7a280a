import { LuaError } from "./error.ts";
import { machine, where } from "./machine.ts";
import type { LuaValue } from "./value.ts";

/** The error that a script may catch. Rethrows limits and faults of the program. A JavaScript stack overflow counts as Lua's. */
export function asLuaError(error: unknown): LuaError {
  if (error instanceof LuaError) return error;
  if (error instanceof RangeError && isStackOverflow(error)) return new LuaError("stack overflow");
  throw error;
}

export function isStackOverflow(error: RangeError): boolean {
  return error.message.includes("call stack");
}

/** Runs a function and catches what a script may catch. Restores the call depth. */
export function protectedCall<T>(run: () => T, caught: (error: LuaValue) => T): T {
  const { depth } = machine;
  try {
    return run();
  } catch (error) {
    const { value } = asLuaError(error);
    machine.depth = depth;
    machine.tail = undefined;
    return caught(value);
  }
}

/** The locations of the active calls, innermost first. */
export function traceback(): string {
  const lines = ["stack traceback:"];
  for (let level = 1; level <= Math.min(machine.depth, 20); level++) lines.push(`\t${where(level) || "[C]: "}in function`);
  return lines.join("\n");
}
