import { compileRe2, re2Work, type RE2JS } from "../re2/index.ts";
import { fail } from "./failure.ts";
import type { Meter } from "./meter.ts";

/** Compiles a regular expression in RE2's syntax. */
export function compileCelRegex(pattern: string): RE2JS {
  try {
    return compileRe2(pattern);
  } catch (cause) {
    return fail(cause instanceof Error ? cause.message : String(cause));
  }
}

/** Whether a pattern matches anywhere in a text. */
export function isMatch(text: string, pattern: string, meter: Meter): boolean {
  meter.step(re2Work(pattern, text.length));
  return compileCelRegex(pattern).matcher(text).find();
}
