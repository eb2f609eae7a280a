import { LuaError, LimitReached } from "./error.ts";
import type { FunctionEnvironment } from "./function-environment.ts";
import type { LuaTable } from "./table.ts";
import type { LuaFunction, LuaValue } from "./value.ts";

/** A source location that errors report, with the names of its operands. */
export type DebugLocation = {
  readonly chunk: string;
  readonly line: number;
  /** How messages name the value that is indexed or called, or the left operand, as `local 'x'`; empty if it has no name. */
  readonly what: string;
  readonly name: string;
  /** The right operand. */
  readonly otherWhat: string;
  readonly otherName: string;
  /** A tail call, which removes its caller from the stack. */
  readonly tail: boolean;
};

/** What the host supplies: clock, randomness and output. */
export type LuaHost = {
  /** Seconds since 1970, for `os.time` and `os.date`. */
  readonly now: () => number;
  /** A number in [0, 1), for `math.random`. */
  readonly random: () => number;
  readonly print: (line: string) => void;
};

/**
 * The state of the running script. There is one because scripts run to completion and because hot paths need it at a fixed place.
 * A nested run restores it at the end.
 */
export const machine = {
  /** The remaining limits: steps, bytes and call depth. */
  fuel: 0,
  memory: 0,
  depthLimit: 0,
  longestString: 0,
  /** The number of active calls, and the location of each. */
  depth: 0,
  callStack: [] as (DebugLocation | undefined)[],
  /** A pending tail call, which the caller of the returned function makes. */
  tail: undefined as LuaFunction | undefined,
  tailArgs: [] as LuaValue[],
  tailLocation: undefined as DebugLocation | undefined,
  globals: undefined as LuaTable | undefined,
  /** The environments of the active functions, in scripts that can replace them. */
  environments: [] as (FunctionEnvironment | undefined)[],
  /** The string library, in which methods of strings are looked up even if the global `string` is replaced. */
  strings: undefined as LuaTable | undefined,
  /** The modules that were required so far. */
  modules: undefined as Map<string, LuaTable> | undefined,
  host: { now: () => 0, random: () => 0, print: () => {} } as LuaHost,
};

/** Charges fuel for work whose size the script chose. */
export function spend(steps: number): void {
  machine.fuel -= steps;
  if (machine.fuel < 0) outOfFuel();
}

/** Charges memory. Freed memory is not credited: the count bounds the worst case. */
export function allocate(bytes: number): void {
  machine.memory -= bytes;
  if (machine.memory < 0) outOfMemory();
}

/** Charges memory and fuel for a new string. */
export function allocateString(length: number, location?: DebugLocation): void {
  if (length > machine.longestString) outOfMemory(location);
  machine.memory -= length + 24;
  machine.fuel -= length >> 8;
  if (machine.memory < 0) outOfMemory(location);
}

/** Ends the script, which has used up its steps. */
export function outOfFuel(location?: DebugLocation): never {
  throw new LimitReached(`${locationText(location)}the script takes more steps than it may`);
}

function outOfMemory(location?: DebugLocation): never {
  throw new LimitReached(`${locationText(location)}the script uses more memory than it may`);
}

function locationText(location: DebugLocation | undefined): string {
  return location === undefined ? where(1) : `${location.chunk}:${location.line}: `;
}

/** The prefix `script:3: ` for a stack level. Level 1 called the running library function. */
export function where(level: number): string {
  const location = machine.callStack[machine.depth - level];
  if (level > machine.depth || location === undefined || (level > 1 && location.tail)) return "";
  return `${location.chunk}:${location.line}: `;
}

/** Raises an error of a library function, with the line that called it. */
export function raise(message: string): never {
  throw new LuaError(where(1) + message);
}

/** Raises an error at a location. */
export function raiseAt(location: DebugLocation | undefined, message: string): never {
  throw new LuaError(location === undefined ? message : `${location.chunk}:${location.line}: ${message}`);
}
