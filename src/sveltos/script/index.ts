/**
 * Lua scripts as users of Sveltos write them: a function `evaluate` that is asked about objects, with the helper modules and
 * functions of Sveltos in every script, within limits.
 *
 * It knows how scripts are called and what they may call, and not what their answers mean.
 */
export { compileScript, aggregationLimits, ScriptFault, type Script, type ScriptOptions, type ScriptEnvironment } from "./script.ts";
