/**
 * Lua 5.1 with `goto`, the language of Sveltos' scripts. Scripts are compiled to JavaScript and run without access to files,
 * processes, network or environment, within limits that they cannot evade.
 *
 * Values enter and leave as plain JSON. The module knows no Kubernetes: functions beside the standard library, the clock and
 * randomness come from the host.
 */
export { LuaFault } from "./run/error.ts";
export { compileLua, type LuaLimits, type LuaRunOptions } from "./script.ts";
export { type LuaJson } from "./json.ts";
export type { Extensions, Module } from "./library/globals.ts";
export type { LuaFunction, LuaResult, LuaValue } from "./run/value.ts";
export type { LuaHost } from "./run/machine.ts";
export { LuaTable } from "./run/table.ts";
// For host functions that scripts call.
export { callFirst } from "./run/call.ts";
export { allocate, allocateString, machine, raise, spend } from "./run/machine.ts";
export { fromHost, newTable } from "./run/table.ts";
export {
  charged,
  chargeSearch,
  functionArg,
  integerArg,
  isArgMissing,
  numberArg,
  optionalIntegerArg,
  stringArg,
  tableArg,
  type Arguments,
} from "./library/argument.ts";
export { textOfValue } from "./library/tostring.ts";
export { encodeLuaString, decodeLuaString } from "./lua-string.ts";
