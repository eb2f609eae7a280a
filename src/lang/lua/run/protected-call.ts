import { LuaError } from "./error.ts";
import { machine, where } from "./machine.ts";
import type { LuaValue } from "./value.ts";

/**
 * What was thrown, if a script may see it. A limit that was reached goes on up, and so does a fault of our own; only
 * JavaScript's own stack running out before ours is Lua's stack overflow.
 */
export function asLuaError(error: unknown): LuaError {
  if (error instanceof LuaError) return error;
  if (error instanceof RangeError && isStackOverflow(error)) return new LuaError("stack overflow");
  throw error;
}

export function isStackOverflow(error: RangeError): boolean {
  return error.message.includes("call stack");
}

/** Runs something and catches what a script may catch; the stack is then as it was. */
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

/** The places of the calls that are under way, innermost first. */
export function traceback(): string {
  const lines = ["stack traceback:"];
  for (let level = 1; level <= Math.min(machine.depth, 20); level++) lines.push(`\t${where(level) || "[C]: "}in function`);
  return lines.join("\n");
}
