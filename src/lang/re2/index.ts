/**
 * Go's regular expressions (RE2), which match in linear time.
 *
 * The library is loaded with the first pattern that needs it, because most runs of the program have none.
 */
import type { RE2JS } from "re2js";
import { LruCache } from "../../core/cache/index.ts";
import { loadRe2js } from "./load-re2js.ts";
import { libraryRegex, nativeFirst, type Regex } from "./regex.ts";

export type { RE2JS };
export type { Regex, Replacement } from "./regex.ts";

let library: typeof RE2JS | undefined;
/** Measured: 8 KiB for a small program, and up to 200 bytes for each instruction. */
const compiled = new LruCache<string, RE2JS>({
  maxWeight: 2 ** 24,
  weightOf: (pattern, expression) => 8192 + pattern.length + 200 * expression.programSize(),
});
const regexes = new LruCache<string, Regex>({ maxWeight: 2 ** 22, weightOf: (pattern) => 4096 + 16 * pattern.length });

/** Compiles a pattern. Cached, because compiling takes far longer than matching. Throws with Go's message. */
export function compileRe2(pattern: string): RE2JS {
  return compiled.getOrCreate(pattern, () => {
    library ??= loadRe2js().RE2JS;
    return library.compile(pattern);
  });
}

/**
 * Compiles a pattern for searches in long texts. A pattern that JavaScript matches alike in linear time runs as a RegExp, several
 * times as fast. Cached. Throws with Go's message.
 */
export function regexOf(pattern: string): Regex {
  return regexes.getOrCreate(pattern, () => nativeFirst(pattern, () => libraryRegex(compileRe2(pattern))));
}

/** Whether a pattern matches a text. */
export type Finder = (text: string) => boolean;

/** The matcher of a pattern. Throws with Go's message. */
export function finderOf(pattern: string): Finder {
  return regexOf(pattern).test;
}
