import { environmentAt, environmentOf, type FunctionEnvironment } from "../run/function-environment.ts";
import { machine, raise } from "../run/machine.ts";
import type { LuaFunction, LuaValue } from "../run/value.ts";
import { type Arguments, argError, isArgMissing, numberArg, tableArg } from "./argument.ts";

/** The environment that the first argument selects: a function or a stack level. */
function named(args: Arguments): FunctionEnvironment | undefined {
  const [value] = args;
  if (typeof value === "function") return environmentOf(value);
  const level = isArgMissing(args, 1) ? 1 : Math.trunc(numberArg(args, 1));
  if (level < 0) argError(1, "level must be non-negative");
  if (level >= machine.depth) argError(1, "invalid level");
  return level === 0 ? undefined : environmentAt(level);
}

/** `getfenv` and `setfenv`. Library functions have no environment of their own. */
export const environmentLibrary: Readonly<Record<string, LuaFunction>> = {
  getfenv: (...args) => named(args)?.globals ?? machine.globals,
  setfenv: (...args): LuaValue => {
    const globals = tableArg(args, 2);
    const environment = named(args);
    if (environment === undefined) return raise("'setfenv' cannot change environment of given object");
    environment.globals = globals;
    return args[0];
  },
};
