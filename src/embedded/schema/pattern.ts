import { compileRe2, type RE2JS } from "../../lang/re2/index.ts";

/** Compiles a pattern as Go's regexp does; returns the error when it does not compile. */
export function compilePattern(pattern: string): RE2JS | Error {
  try {
    return compileRe2(pattern);
  } catch (cause) {
    return cause instanceof Error ? cause : new Error(String(cause));
  }
}
