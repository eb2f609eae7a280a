import { LuaError } from "./error.ts";
import { metamethod, luaTypeName } from "./metatable.ts";
import { allocate, machine, outOfFuel, raiseAt, type DebugLocation } from "./machine.ts";
import { firstValue, type LuaFunction, type LuaResult, type LuaValue } from "./value.ts";

/** Calls this near the depth limit are handed to the caller when they are tail calls, so that those take no room. */
const roomForTails = 56;

/** The text of a value's name in a script: ` local 'x'`, or nothing. */
export function operandName(what: string, name: string): string {
  return what === "" ? "" : ` ${what} '${name}'`;
}

function enter(location: DebugLocation | undefined): void {
  const depth = machine.depth;
  machine.fuel -= 1;
  if (machine.fuel < 0) outOfFuel(location);
  if (depth >= machine.depthLimit) raiseAt(location, "stack overflow");
  machine.callStack[depth] = location;
  machine.depth = depth + 1;
}

function leave(result: LuaResult): LuaResult {
  machine.depth -= 1;
  return machine.tail === undefined ? result : runTails();
}

function runTails(): LuaResult {
  let result: LuaResult;
  for (let f = machine.tail; f !== undefined; f = machine.tail) {
    machine.tail = undefined;
    enter(machine.tailLocation);
    result = f(...machine.tailArgs);
    machine.depth -= 1;
  }
  return result;
}

export function call0(location: DebugLocation | undefined, f: LuaValue): LuaResult {
  if (typeof f !== "function") return callOther(location, f, []);
  enter(location);
  return leave(f());
}

export function call1(location: DebugLocation | undefined, f: LuaValue, a: LuaValue): LuaResult {
  if (typeof f !== "function") return callOther(location, f, [a]);
  enter(location);
  return leave(f(a));
}

export function call2(location: DebugLocation | undefined, f: LuaValue, a: LuaValue, b: LuaValue): LuaResult {
  if (typeof f !== "function") return callOther(location, f, [a, b]);
  enter(location);
  return leave(f(a, b));
}

export function call3(location: DebugLocation | undefined, f: LuaValue, a: LuaValue, b: LuaValue, c: LuaValue): LuaResult {
  if (typeof f !== "function") return callOther(location, f, [a, b, c]);
  enter(location);
  return leave(f(a, b, c));
}

export function callAll(location: DebugLocation | undefined, f: LuaValue, args: LuaValue[]): LuaResult {
  if (typeof f !== "function") return callOther(location, f, args);
  enter(location);
  return leave(f(...args));
}

/** `return f(…)`: an ordinary call where there is room, else the caller's business. */
export function tail(location: DebugLocation, f: LuaValue, args: LuaValue[]): LuaResult {
  const callee = typeof f === "function" ? f : callable(location, f, args);
  if (machine.depth < machine.depthLimit - roomForTails) return callAll(location, callee, args);
  machine.tail = callee;
  machine.tailArgs = args;
  machine.tailLocation = location;
  return undefined;
}

function callOther(location: DebugLocation | undefined, f: LuaValue, args: LuaValue[]): LuaResult {
  return callAll(location, callable(location, f, args), args);
}

/** What is called when a value that is no function is; the value becomes the first argument. */
function callable(location: DebugLocation | undefined, f: LuaValue, args: LuaValue[]): LuaFunction {
  const handler = metamethod(f, "__call");
  if (typeof handler !== "function") {
    const what = location === undefined ? "" : operandName(location.what, location.name);
    return raiseAt(
      location,
      what === "" ? `attempt to call a ${luaTypeName(f)} value` : `attempt to call${what} (a ${luaTypeName(f)} value)`,
    );
  }
  args.unshift(f);
  return handler;
}

/** Calls from a generator, so that what is called may yield. */
export function* callYielding(
  location: DebugLocation | undefined,
  f: LuaValue,
  args: LuaValue[],
): Generator<LuaValue[], LuaResult, LuaValue[]> {
  let callee = typeof f === "function" ? f : callable(location, f, args);
  let given = args;
  enter(location);
  for (;;) {
    const result: LuaResult = callee.generator === undefined ? callee(...given) : yield* callee.generator(...given);
    machine.depth -= 1;
    if (machine.tail === undefined) return result;
    callee = machine.tail;
    given = machine.tailArgs;
    machine.tail = undefined;
    enter(machine.tailLocation);
  }
}

/** `return f(…)` in a generator. */
export function* tailYielding(location: DebugLocation, f: LuaValue, args: LuaValue[]): Generator<LuaValue[], LuaResult, LuaValue[]> {
  if (machine.depth < machine.depthLimit - roomForTails) return yield* callYielding(location, f, args);
  return tail(location, f, args);
}

/** Makes a Lua function of a generator: called outside of a coroutine, or by the library, it may not yield. */
export function yielding(generator: NonNullable<LuaFunction["generator"]>): LuaFunction {
  const plain: LuaFunction = (...args) => {
    const { done, value } = generator(...args).next();
    if (done === true) return value;
    throw new LuaError("attempt to yield across metamethod/C-call boundary");
  };
  plain.generator = generator;
  return plain;
}

/** Counts a closure that the script makes. */
export function closure<F>(f: F): F {
  allocate(64);
  return f;
}

/** Calls from the library: the function called has no line to blame. */
export function callFirst(f: LuaValue, ...args: LuaValue[]): LuaValue {
  return firstValue(callAll(undefined, f, args));
}
