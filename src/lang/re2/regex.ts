import { charge } from "../../core/cost/index.ts";
import { linearSource } from "./linear-expression.ts";
import { parsePattern } from "./pattern-parser.ts";

/** Where a match is in a text. */
export type RegexMatch = { readonly start: number; readonly end: number };

/** The texts of the groups of a match, the whole match first. */
type Groups = readonly (string | undefined)[];

/** What takes the place of a match: always the same, or what its groups make of it. */
export type Replacement = string | ((groups: Groups) => string);

/** A compiled pattern of RE2. */
export type Regex = {
  /** Whether it matches somewhere in a text. */
  readonly test: (text: string) => boolean;
  /** All matches in a text, at most `limit` of them; a negative limit means no limit. */
  readonly matches: (text: string, limit: number) => readonly RegexMatch[];
  /** A text with every match replaced. */
  readonly replaceAll: (text: string, replacement: Replacement) => string;
  /** The numbers of named groups. */
  readonly names: ReadonlyMap<string, number>;
};

const maxNativeLength = 300;
/** A match with its groups. */
export const costOfMatch = 128;

/** The source of a RegExp of JavaScript, with the flag `u`, that finds the same in linear time; undefined where there is none. */
export function nativeSource(pattern: string): string | undefined {
  const parsed = pattern.length > maxNativeLength ? undefined : parsePattern(pattern);
  return parsed === undefined ? undefined : linearSource(parsed.pattern);
}

/** A regex that JavaScript matches where that is the same, and the library otherwise: bytes that are no UTF-8 are its alone. */
export function nativeFirst(pattern: string, library: () => Regex): Regex {
  const source = nativeSource(pattern);
  if (source === undefined) return library();
  const first = new RegExp(source, "u");
  const all = new RegExp(source, "gu");
  return {
    names: parsePattern(pattern)?.names ?? new Map(),
    test: (text) => (text.isWellFormed() ? first.test(text) : library().test(text)),
    matches: (text, limit) => (text.isWellFormed() ? nativeMatches(all, text, limit) : library().matches(text, limit)),
    replaceAll: (text, replacement) => {
      if (!text.isWellFormed()) return library().replaceAll(text, replacement);
      if (typeof replacement === "string" && replacement.length <= shortReplacement) {
        charge(replacement.length * text.length);
        return text.replace(all, replacement.replaceAll("$", "$$$$"));
      }
      // After the groups come the position and the text.
      return text.replace(all, (...groups: (string | undefined)[]) => charged(replacement, groups.slice(0, -2)));
    },
  };
}

/** One that may as well take the place of every character. */
const shortReplacement = 2;

/** What takes the place of a match. It may be far longer. */
export function charged(replacement: Replacement, groups: Groups): string {
  const text = typeof replacement === "string" ? replacement : replacement(groups);
  charge(costOfMatch + text.length);
  return text;
}

/** None of them is empty: there is no such source. */
function nativeMatches(all: RegExp, text: string, limit: number): readonly RegexMatch[] {
  const matches: RegexMatch[] = [];
  all.lastIndex = 0;
  while (matches.length !== limit) {
    const groups = all.exec(text);
    if (groups === null) break;
    charge(costOfMatch);
    matches.push({ start: groups.index, end: all.lastIndex });
  }
  return matches;
}
