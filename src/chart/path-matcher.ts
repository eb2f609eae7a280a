import { Fault } from "../core/fault/index.ts";

/**
 * Compiles a shell pattern of Go's path/filepath: `*` and `?` stop at a slash, `[a-z]` and `[^a-z]` are classes, and a
 * backslash escapes the next character. An invalid pattern is refused.
 */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const expression = new RegExp(`^${[...expressionsOf(pattern)].join("")}$`, "su");
  return (path) => expression.test(path);
}

function* expressionsOf(pattern: string): Generator<string> {
  const characters = [...pattern];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!;
    if (character === "*") yield "[^/]*";
    else if (character === "?") yield "[^/]";
    else if (character === "\\") yield literal(characters[++at]);
    else if (character === "[") {
      const { expression, end } = classAt(characters, at + 1);
      yield expression;
      at = end;
    } else yield literal(character);
  }
}

function classAt(characters: readonly string[], start: number): { readonly expression: string; readonly end: number } {
  let at = start;
  const negated = characters[at] === "^";
  if (negated) at++;
  const ranges: string[] = [];
  while (ranges.length === 0 || characters[at] !== "]") {
    const low = member(characters, at);
    at = low.next;
    if (characters[at] !== "-") {
      ranges.push(literal(low.character));
      continue;
    }
    const high = member(characters, at + 1);
    at = high.next;
    // A reversed range is empty.
    ranges.push(low.character > high.character ? "" : `${literal(low.character)}-${literal(high.character)}`);
  }
  const all = ranges.join("");
  const inside = all === "" ? (negated ? "[^]" : "(?!)") : `[${negated ? "^" : ""}${all}]`;
  return { expression: `(?!/)${inside}`, end: at };
}

function member(characters: readonly string[], at: number): { readonly character: string; readonly next: number } {
  const character = characters[at];
  if (character === undefined || character === "-" || character === "]") throw bad();
  if (character !== "\\") return { character, next: at + 1 };
  const escaped = characters[at + 1];
  if (escaped === undefined) throw bad();
  return { character: escaped, next: at + 2 };
}

function literal(character: string | undefined): string {
  if (character === undefined) throw bad();
  return /[\p{L}\p{N}_]/u.test(character) ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`;
}

function bad(): Fault {
  return new Fault("syntax error in pattern", undefined, { final: true });
}
