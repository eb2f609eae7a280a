import { compileScript, ScriptFault } from "./script.ts";

/** Why a script does not compile; undefined when it does or is empty. */
export function scriptProblem(text: string, title: string): string | undefined {
  if (text.trim() === "") return undefined;
  try {
    compileScript(text, title, { global: "obj" });
    return undefined;
  } catch (error) {
    if (!(error instanceof ScriptFault)) throw error;
    return error.message;
  }
}
