/**
 * Lua 5.1 with `goto`, as Sveltos' scripts are written in it: compiled to JavaScript, run without files, processes, network
 * or environment, and within limits that a script cannot get around.
 *
 * Values come in and go out as plain JSON. It knows no Kubernetes: what scripts may call beside the standard library is
 * handed in as extensions, of which those that need nothing but this module are here. Time and chance are handed in, too.
 */
export { LuaFault } from "./run/error.ts";
export { compileLua, type LuaLimits } from "./script.ts";
export { type LuaJson } from "./json.ts";
export type { Extensions, Module } from "./library/globals.ts";
export type { LuaFunction, LuaResult, LuaValue } from "./run/value.ts";
export type { LuaHost } from "./run/machine.ts";
export { LuaTable } from "./run/table.ts";
// For those who write functions that scripts call.
export { callFirst } from "./run/call.ts";
export { allocateString, raise, spend } from "./run/machine.ts";
export { fromHost, newTable } from "./run/table.ts";
export {
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
