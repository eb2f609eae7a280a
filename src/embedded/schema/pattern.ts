import { compileRe2, type RE2JS } from "../../lang/re2/index.ts";

/** A pattern as Go's regexp compiles it; or why it does not compile. */
export function compilePattern(pattern: string): RE2JS | Error {
  try {
    return compileRe2(pattern);
  } catch (cause) {
    return cause instanceof Error ? cause : new Error(String(cause));
  }
}
