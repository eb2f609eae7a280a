import { LuaError, LimitReached } from "./error.ts";
import type { FunctionEnvironment } from "./function-environment.ts";
import type { LuaTable } from "./table.ts";
import type { LuaFunction, LuaValue } from "./value.ts";

/** A place in a script where something can go wrong, and what the values there are called in it. */
export type DebugLocation = {
  readonly chunk: string;
  readonly line: number;
  /** What is indexed, called or the left operand, as `local 'x'`; empty if it has no name. */
  readonly what: string;
  readonly name: string;
  /** The right operand. */
  readonly otherWhat: string;
  readonly otherName: string;
  /** A call that replaces its caller, which then has no line any more. */
  readonly tail: boolean;
};

/** What a script may see of the world. */
export type LuaHost = {
  /** Seconds since 1970, for `os.time` and `os.date`. */
  readonly now: () => number;
  /** A number from 0 to below 1, for `math.random`. */
  readonly random: () => number;
  readonly print: (line: string) => void;
};

/**
 * The state of the script that is running. There is one, because scripts run to their end without a pause and because
 * what everything reaches for has to be at a fixed place; a script run from within another puts it back when it is done.
 */
export const machine = {
  /** What is left of the limits: steps, bytes that may yet be allocated, calls within calls. */
  fuel: 0,
  memory: 0,
  depthLimit: 0,
  longestString: 0,
  /** How many calls are under way, and where each was made. */
  depth: 0,
  callStack: [] as (DebugLocation | undefined)[],
  /** A tail call that the caller of the function that just returned has to make. */
  tail: undefined as LuaFunction | undefined,
  tailArgs: [] as LuaValue[],
  tailLocation: undefined as DebugLocation | undefined,
  globals: undefined as LuaTable | undefined,
  /** The environments of the functions under way, in scripts that can exchange them. */
  environments: [] as (FunctionEnvironment | undefined)[],
  /** The string library, in which the methods of strings are found, whatever the global `string` is. */
  strings: undefined as LuaTable | undefined,
  /** The modules that were required. */
  modules: undefined as Map<string, LuaTable> | undefined,
  host: { now: () => 0, random: () => 0, print: () => {} } as LuaHost,
};

/** Spends steps on work whose size the script chose. */
export function spend(steps: number): void {
  machine.fuel -= steps;
  if (machine.fuel < 0) outOfFuel();
}

/** Counts bytes that the script is about to hold. What is freed is not given back: the count bounds the worst case. */
export function allocate(bytes: number): void {
  machine.memory -= bytes;
  if (machine.memory < 0) outOfMemory();
}

/** Makes room for a new string, and for the time it takes to fill it. */
export function allocateString(length: number, location?: DebugLocation): void {
  if (length > machine.longestString) outOfMemory(location);
  machine.memory -= length + 24;
  machine.fuel -= length >> 8;
  if (machine.memory < 0) outOfMemory(location);
}

/** Ends the script: it took all the steps it had. */
export function outOfFuel(location?: DebugLocation): never {
  throw new LimitReached(`${locationText(location)}the script takes more steps than it may`);
}

function outOfMemory(location?: DebugLocation): never {
  throw new LimitReached(`${locationText(location)}the script uses more memory than it may`);
}

function locationText(location: DebugLocation | undefined): string {
  return location === undefined ? where(1) : `${location.chunk}:${location.line}: `;
}

/** `script:3:` and a space, for the function at a level: 1 is the one that called the library function at work. */
export function where(level: number): string {
  const location = machine.callStack[machine.depth - level];
  if (level > machine.depth || location === undefined || (level > 1 && location.tail)) return "";
  return `${location.chunk}:${location.line}: `;
}

/** An error of a library function, told with the line that called it. */
export function raise(message: string): never {
  throw new LuaError(where(1) + message);
}

/** An error at a place that is known. */
export function raiseAt(location: DebugLocation | undefined, message: string): never {
  throw new LuaError(location === undefined ? message : `${location.chunk}:${location.line}: ${message}`);
}
