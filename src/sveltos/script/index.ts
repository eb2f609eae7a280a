/**
 * Runs Lua scripts as users of Sveltos write them: a function `evaluate`, with Sveltos' modules and global functions, within
 * limits of steps and memory.
 *
 * It knows how scripts are called and what they may call, and not what their results mean.
 */
export { compileScript, aggregationLimits, ScriptFault, type Script, type ScriptEnvironment } from "./script.ts";
export { scriptProblem } from "./script-problem.ts";
