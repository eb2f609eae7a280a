import { compileScript, ScriptFault } from "./script.ts";

/** Why a script does not compile or has no `evaluate`; undefined when it can be called or is empty. */
export function scriptProblem(text: string, title: string): string | undefined {
  if (text.trim() === "") return undefined;
  try {
    compileScript(text, title, { global: "obj" });
    return /\bevaluate\b/.test(text) ? undefined : "defines no function evaluate; expected one, which is called for the objects";
  } catch (error) {
    if (!(error instanceof ScriptFault)) throw error;
    return error.message;
  }
}
