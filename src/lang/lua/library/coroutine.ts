import { Coroutine } from "../run/coroutine.ts";
import { protectedCall } from "../run/protected-call.ts";
import { LuaError } from "../run/error.ts";
import { where } from "../run/machine.ts";
import { allValues, type LuaFunction, type LuaValue } from "../run/value.ts";
import { argError, functionArg } from "./argument.ts";

function coroutineAt(args: readonly LuaValue[]): Coroutine {
  const [value] = args;
  return value instanceof Coroutine ? value : argError(1, "coroutine expected");
}

function resume(...args: LuaValue[]): LuaValue[] {
  const coroutine = coroutineAt(args);
  if (coroutine.status !== "suspended") return [false, cannotResume(coroutine)];
  return protectedCall<LuaValue[]>(
    () => [true, ...coroutine.resume(args.slice(1))],
    (error) => [false, error],
  );
}

function cannotResume({ status }: Coroutine): string {
  return `cannot resume ${status} coroutine`;
}

function wrap(...args: LuaValue[]): LuaFunction {
  const coroutine = new Coroutine(functionArg(args, 1));
  return (...given) => {
    if (coroutine.status !== "suspended") throw new LuaError(where(1) + cannotResume(coroutine));
    try {
      return allValues(coroutine.resume(given));
    } catch (error) {
      // Lua prefixes the message with the position of the caller.
      if (error instanceof LuaError && typeof error.value === "string") throw new LuaError(where(1) + error.value);
      throw error;
    }
  };
}

/** Only a generator can yield. Every other caller gets here. */
const yieldValues: LuaFunction = () => {
  throw new LuaError("attempt to yield across metamethod/C-call boundary");
};
yieldValues.generator = function* (...args) {
  if (Coroutine.current === undefined) throw new LuaError("attempt to yield across metamethod/C-call boundary");
  return yield args;
};

/** The library `coroutine`. */
export const coroutineLibrary: Readonly<Record<string, LuaFunction>> = {
  create: (...args) => new Coroutine(functionArg(args, 1)),
  resume,
  running: () => Coroutine.current,
  status: (...args) => coroutineAt(args).status,
  wrap,
  yield: yieldValues,
};
