import { Fault } from "../core/fault/index.ts";

/** What one character of a path must be. `*` stands for any number of characters. */
type PatternPart = "*" | ((character: string) => boolean);

/**
 * Compiles a shell pattern of Go's path/filepath: `*` and `?` stop at a slash, `[a-z]` and `[^a-z]` are classes, and a
 * backslash escapes the next character. An invalid pattern is refused.
 */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const parts = [...partsOf(pattern)];
  return (path) => matchesParts(parts, [...path]);
}

/**
 * Once a star has been followed by another, it takes no more: as Go does it, and no pattern takes longer than its length times
 * that of the path.
 */
function matchesParts(parts: readonly PatternPart[], path: readonly string[]): boolean {
  let part = 0;
  let at = 0;
  let star: { readonly part: number; at: number } | undefined;
  for (;;) {
    const expected = parts[part];
    if (expected === "*") star = { part: part++, at };
    else if (expected === undefined && at === path.length) return true;
    else if (expected !== undefined && at < path.length && expected(path[at]!)) {
      part++;
      at++;
    } else {
      // The star takes one more character.
      if (star === undefined || star.at === path.length || path[star.at] === "/") return false;
      part = star.part + 1;
      at = ++star.at;
    }
  }
}

function* partsOf(pattern: string): Generator<PatternPart> {
  const characters = [...pattern];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!;
    if (character === "*") yield "*";
    else if (character === "?") yield (found) => found !== "/";
    else if (character === "[") {
      const { matches, end } = classAt(characters, at + 1);
      yield matches;
      at = end;
    } else {
      const literal = character === "\\" ? characters[++at] : character;
      if (literal === undefined) throw bad();
      yield (found) => found === literal;
    }
  }
}

type CharacterClass = { readonly matches: (character: string) => boolean; readonly end: number };

function classAt(characters: readonly string[], start: number): CharacterClass {
  let at = start;
  const negated = characters[at] === "^";
  if (negated) at++;
  const ranges: (readonly [low: number, high: number])[] = [];
  while (ranges.length === 0 || characters[at] !== "]") {
    const low = member(characters, at);
    const high = characters[low.next] === "-" ? member(characters, low.next + 1) : low;
    ranges.push([low.code, high.code]);
    at = high.next;
  }
  const matches = (character: string) => {
    const code = character.codePointAt(0)!;
    return ranges.some(([low, high]) => low <= code && code <= high) !== negated;
  };
  return { matches, end: at };
}

function member(characters: readonly string[], at: number): { readonly code: number; readonly next: number } {
  const character = characters[at];
  if (character === undefined || character === "-" || character === "]") throw bad();
  const escaped = character === "\\" ? characters[at + 1] : character;
  if (escaped === undefined) throw bad();
  return { code: escaped.codePointAt(0)!, next: at + (character === "\\" ? 2 : 1) };
}

function bad(): Fault {
  return new Fault("syntax error in pattern", undefined, { final: true });
}
