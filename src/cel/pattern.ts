import { RE2JS } from "re2js";
import { fail } from "./failure.ts";

const compiled = new Map<string, RE2JS>();
const mostKept = 500;

/** Compiles a regular expression in RE2's syntax, once: compiling takes far longer than matching. */
export function compilePattern(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (compiled.size >= mostKept) compiled.clear();
  const made = make(pattern);
  compiled.set(pattern, made);
  return made;
}

function make(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (cause) {
    return fail(cause instanceof Error ? cause.message : String(cause));
  }
}

/** Whether a pattern is found anywhere in a text. */
export function isMatch(text: string, pattern: string): boolean {
  return compilePattern(pattern).matcher(text).find();
}
