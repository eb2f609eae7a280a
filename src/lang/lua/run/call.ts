import { LuaError } from "./error.ts";
import { metamethod, luaTypeName } from "./metatable.ts";
import { allocate, machine, outOfFuel, raiseAt, type DebugLocation } from "./machine.ts";
import { firstValue, type LuaFunction, type LuaResult, type LuaValue } from "./value.ts";

/** Tail calls within this distance of the depth limit return to the caller first, so they take no stack. */
const roomForTails = 56;

/** How a message names a value: ` local 'x'`, or the empty string. */
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

/** Calls `return f(…)`: directly while there is room on the stack, otherwise through the caller. */
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

/** The `__call` handler of a value that is not a function. The value becomes the first argument. */
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

/** Calls from a generator, so that the callee may yield. */
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

/** Calls `return f(…)` in a generator. */
export function* tailYielding(location: DebugLocation, f: LuaValue, args: LuaValue[]): Generator<LuaValue[], LuaResult, LuaValue[]> {
  if (machine.depth < machine.depthLimit - roomForTails) return yield* callYielding(location, f, args);
  return tail(location, f, args);
}

/** Wraps a generator as a Lua function. It may not yield when it is called outside a coroutine or by the library. */
export function yielding(generator: NonNullable<LuaFunction["generator"]>): LuaFunction {
  const plain: LuaFunction = (...args) => {
    const { done, value } = generator(...args).next();
    if (done === true) return value;
    throw new LuaError("attempt to yield across metamethod/C-call boundary");
  };
  plain.generator = generator;
  return plain;
}

/** Charges memory for a closure. */
export function closure<F>(f: F): F {
  allocate(64);
  return f;
}

/** Calls from the library, without a source location. */
export function callFirst(f: LuaValue, ...args: LuaValue[]): LuaValue {
  return firstValue(callAll(undefined, f, args));
}
