/**
 * Go's regular expressions (RE2), which match in linear time.
 *
 * The library is loaded with the first pattern that needs it, because most runs of the program have none.
 */
import { charge } from "../../core/cost/index.ts";
import type { RE2JS } from "re2js";
import { LruCache } from "../../core/cache/index.ts";
import { loadRe2js } from "./load-re2js.ts";
import { programSizeOf } from "./program-size.ts";
import { automatonRegex } from "./automaton-regex.ts";
import { nativeFirst, nativeSource, type Regex } from "./regex.ts";

export type { RE2JS };
export type { Regex, Replacement } from "./regex.ts";

const works = new LruCache<string, Work>({ maxWeight: 2 ** 22, weightOf: (pattern) => 256 + 2 * pattern.length });
let library: typeof RE2JS | undefined;
/** A character of a pattern, as compiling it takes time. */
const costOfCharacter = 512;
const bytesPerInstruction = 200;
/** Measured: 8 KiB for a small program, and up to so many bytes for each instruction. */
const compiled = new LruCache<string, RE2JS>({
  maxWeight: 2 ** 24,
  weightOf: (pattern, expression) => 8192 + pattern.length + bytesPerInstruction * expression.programSize(),
});
const regexes = new LruCache<string, Regex>({ maxWeight: 2 ** 22, weightOf: (pattern) => 4096 + 16 * pattern.length });

/** The largest program that a pattern may compile to, and its groups. Go takes 3 million instructions, which are gigabytes here. */
const largest = { instructions: 20_000, groups: 1000, characters: 100_000 };

/** Compiles a pattern. Cached, because compiling takes far longer than matching. Throws with Go's message. */
export function compileRe2(pattern: string): RE2JS {
  return compiled.getOrCreate(pattern, () => {
    refuseLarge(pattern);
    charge(costOfCharacter * pattern.length);
    library ??= loadRe2js().RE2JS;
    const expression = library.compile(pattern);
    charge(bytesPerInstruction * expression.programSize());
    return expression;
  });
}

/**
 * Compiles a pattern for searches in long texts. A pattern that JavaScript matches alike in linear time runs as a RegExp, several
 * times as fast. Cached. Throws with Go's message.
 */
export function regexOf(pattern: string): Regex {
  return regexes.getOrCreate(pattern, () => nativeFirst(pattern, () => automatonRegex(compileRe2(pattern))));
}

function refuseLarge(pattern: string): void {
  if (pattern.length > largest.characters)
    throw new Error(
      `error parsing regexp: expression too large: it has ${pattern.length} characters, and at most ${largest.characters} are allowed`,
    );
  const { instructions, groups } = programSizeOf(pattern);
  if (instructions > largest.instructions)
    throw new Error(
      `error parsing regexp: expression too large: it compiles to about ${instructions} instructions, and at most ${largest.instructions} are allowed`,
    );
  if (groups > largest.groups)
    throw new Error(`error parsing regexp: expression too large: it has ${groups} groups, and at most ${largest.groups} are allowed`);
}

/** What a pattern and a text take, in steps of some 40 ns: to compile, though it may be compiled already, and to match once. */
export function re2Work(pattern: string, textLength: number): number {
  const { compilation, perCharacter } = workOf(pattern);
  return compilation + textLength * perCharacter;
}

/** The same where a RegExp of JavaScript may match instead: for what `regexOf` and `finderOf` return. */
export function regexWork(pattern: string, textLength: number): number {
  const { compilation, perCharacter, isNative } = workOf(pattern);
  return compilation + textLength * (isNative ? 0.25 : perCharacter);
}

type Work = { readonly compilation: number; readonly perCharacter: number; readonly isNative: boolean };

const refused: Work = { compilation: 0, perCharacter: 0, isNative: false };

function workOf(pattern: string): Work {
  if (pattern.length > largest.characters) return refused;
  return works.getOrCreate(pattern, () => {
    const { instructions, groups } = programSizeOf(pattern);
    if (instructions > largest.instructions) return refused;
    return {
      // Small patterns are compiled once and used a thousand times; large ones are used to take time.
      compilation: instructions + instructions ** 2 / 256,
      perCharacter: instructions * (1 + groups / 32) * 0.5,
      isNative: nativeSource(pattern) !== undefined,
    };
  });
}

/** Whether a pattern matches a text. */
export type Finder = (text: string) => boolean;

/** The matcher of a pattern. Throws with Go's message. */
export function finderOf(pattern: string): Finder {
  return regexOf(pattern).test;
}
