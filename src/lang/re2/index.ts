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

/** Tells whether a text has a match. */
export type Finder = (text: string) => boolean;

/** A pattern from the beginning of a text on, of characters and classes without a word that Go reads in its own way. */
const anchored = /^\^(?:(?:[\w /:@#%&=~,;<>!"'-]|\[\^?[\w ./:@#%-]+\])(?:[*+?]|\{\d{1,3}\})?)*\$?$/;

/**
 * What tells whether a pattern is found in a text. Throws when it is none, in Go's words. Patterns of the simplest kind are
 * JavaScript's as well, and with no more than one repetition without end they take no longer than the text is long: they do
 * without the library.
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
    // The library says what is wrong with it.
    return undefined;
  }
}
