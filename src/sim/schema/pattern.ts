import { RE2JS } from "re2js";

const compiled = new Map<string, RE2JS | Error>();

/** A pattern as Go's regexp compiles it, kept for the next time; or why it does not compile. */
export function compilePattern(pattern: string): RE2JS | Error {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const made = attempt(pattern);
  compiled.set(pattern, made);
  return made;
}

function attempt(pattern: string): RE2JS | Error {
  try {
    return RE2JS.compile(pattern);
  } catch (cause) {
    return cause instanceof Error ? cause : new Error(String(cause));
  }
}
