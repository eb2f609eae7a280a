/**
 * Go's regular expressions (RE2), which match in linear time.
 *
 * The library is loaded with the first pattern, because most runs of the program have none.
 */
import type { RE2JS } from "re2js";
import { LruCache } from "../../core/cache/index.ts";
import { loadRe2js } from "./load-re2js.ts";

export type { RE2JS };

let library: typeof RE2JS | undefined;
/** Measured: 8 KiB for a small program, and up to 200 bytes for each instruction. */
const compiled = new LruCache<string, RE2JS>({
  maxWeight: 2 ** 24,
  weightOf: (pattern, expression) => 8192 + pattern.length + 200 * expression.programSize(),
});

/** Compiles a pattern. Cached, because compiling takes far longer than matching. Throws with Go's message. */
export function compileRe2(pattern: string): RE2JS {
  return compiled.getOrCreate(pattern, () => {
    library ??= loadRe2js().RE2JS;
    return library.compile(pattern);
  });
}

/** Whether a pattern matches a text. */
export type Finder = (text: string) => boolean;

/** A simple anchored pattern: characters and classes that Go and JavaScript read alike. */
const anchored = /^\^(?:(?:[\w /:@#%&=~,;<>!"'-]|\[\^?[\w ./:@#%-]+\])(?:[*+?]|\{\d{1,3}\})?)*\$?$/;

/**
 * The matcher of a pattern. Throws with Go's message. A simple anchored pattern with at most one unbounded repetition runs as a
 * JavaScript RegExp, also in linear time, without loading the library.
 */
export function finderOf(pattern: string): Finder {
  const simple = simpleExpression(pattern);
  if (simple !== undefined) return (text) => simple.test(text);
  const expression = compileRe2(pattern);
  return (text) => expression.matcher(text).find();
}

function simpleExpression(pattern: string): RegExp | undefined {
  if (!anchored.test(pattern) || pattern.replaceAll(/[^*+]/g, "").length > 1) return undefined;
  try {
    return new RegExp(pattern, "u");
  } catch {
    // RE2 reports the error.
    return undefined;
  }
}
