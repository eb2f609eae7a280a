import type { RE2JS } from "re2js";
import { linearSource } from "./linear-expression.ts";
import { parsePattern } from "./pattern-parser.ts";

/** A match: its position, and the texts of its groups, the whole match first. */
type RegexMatch = { readonly start: number; readonly end: number; readonly groups: readonly (string | undefined)[] };

/** What takes the place of a match: always the same, or what its groups make of it. */
export type Replacement = string | ((groups: RegexMatch["groups"]) => string);

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
      if (typeof replacement === "string") return text.replace(all, replacement.replaceAll("$", "$$$$"));
      // After the groups come the position and the text.
      return text.replace(all, (...groups: (string | undefined)[]) => replacement(groups.slice(0, -2)));
    },
  };
}

/** None of them is empty: there is no such source. */
function nativeMatches(all: RegExp, text: string, limit: number): readonly RegexMatch[] {
  const matches: RegexMatch[] = [];
  all.lastIndex = 0;
  while (matches.length !== limit) {
    const groups = all.exec(text);
    if (groups === null) break;
    matches.push({ start: groups.index, end: all.lastIndex, groups });
  }
  return matches;
}

/** A regex that the library matches. */
export function libraryRegex(expression: RE2JS): Regex {
  return {
    names: new Map<string, number>(Object.entries(expression.namedGroups())),
    test: (text) => expression.test(text),
    matches: (text, limit) => libraryMatches(expression, text, limit),
    replaceAll: (text, replacement) => {
      const parts: string[] = [];
      let at = 0;
      for (const { start, end, groups } of libraryMatches(expression, text, -1)) {
        parts.push(text.slice(at, start), typeof replacement === "string" ? replacement : replacement(groups));
        at = end;
      }
      return parts.join("") + text.slice(at);
    },
  };
}

/** An empty match right after another one is dropped. Models regexp.allMatches. */
function libraryMatches(expression: RE2JS, text: string, limit: number): readonly RegexMatch[] {
  const matches: RegexMatch[] = [];
  const count = expression.groupCount() + 1;
  const matcher = expression.matcher(text);
  let previousEnd = -1;
  for (let at = 0; at <= text.length && matches.length !== limit && matcher.find(at);) {
    const [start, end] = [matcher.start(), matcher.end()];
    const groups = Array.from({ length: count }, (_, index) => matcher.group(index) ?? undefined);
    const isRepeat = end === start && start === previousEnd;
    if (!isRepeat) matches.push({ start, end, groups });
    at = end > at ? end : nextCharacter(text, end === at ? at : end);
    previousEnd = end;
  }
  return matches;
}

function nextCharacter(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}
