import { compileRe2, type RE2JS } from "../re2/index.ts";
import { fail } from "./failure.ts";

/** Compiles a regular expression in RE2's syntax. */
export function compileCelRegex(pattern: string): RE2JS {
  try {
    return compileRe2(pattern);
  } catch (cause) {
    return fail(cause instanceof Error ? cause.message : String(cause));
  }
}

/** Whether a pattern matches anywhere in a text. */
export function isMatch(text: string, pattern: string): boolean {
  return compileCelRegex(pattern).matcher(text).find();
}
