/**
 * Regular expressions as Go has them (RE2): linear in time, whatever the pattern.
 *
 * The library behind it is read when the first pattern is met: most runs of the program never meet one. It knows nothing of
 * who asks.
 */
import { createRequire } from "node:module";
import type { RE2JS } from "re2js";

export type { RE2JS };

let library: typeof RE2JS | undefined;
const compiled = new Map<string, RE2JS>();
const mostKept = 1000;

/** Compiles a pattern, once: that takes far longer than matching. Throws when it is none, in Go's words. */
export function compileRe2(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  library ??= (createRequire(import.meta.url)("re2js") as { RE2JS: typeof RE2JS }).RE2JS;
  const made = library.compile(pattern);
  if (compiled.size >= mostKept) compiled.clear();
  compiled.set(pattern, made);
  return made;
}
