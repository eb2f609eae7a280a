import { compileRe2, re2Work, type RE2JS } from "../../lang/re2/index.ts";

/** About a second. A real server has no such bound, and takes as long as it takes. */
const mostWork = 20_000_000;

/** Why a text is not matched with a pattern: it would hold up everybody else's requests. */
export function tooMuchWork(pattern: string, text: string): string | undefined {
  if (re2Work(pattern, text.length) <= mostWork) return undefined;
  return `has ${text.length} characters, which is too long a text for the pattern '${pattern}'; use a shorter text or a pattern with smaller counts`;
}

/** Compiles a pattern as Go's regexp does; returns the error when it does not compile. */
export function compilePattern(pattern: string): RE2JS | Error {
  try {
    return compileRe2(pattern);
  } catch (cause) {
    return cause instanceof Error ? cause : new Error(String(cause));
  }
}
