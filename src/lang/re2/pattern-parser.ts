import { charactersIn, complement, setOf, union, type CodePointSet } from "./code-point-set.ts";
import type { Assertion, Pattern } from "./pattern.ts";

/** A pattern with the names of its groups, by number. */
type ParsedPattern = { readonly pattern: Pattern; readonly names: ReadonlyMap<string, number>; readonly groups: number };

/** Thrown for what this parser does not read, valid or not. */
class Unread extends Error {}

const digits = setOf([0x30, 0x39]);
const word = setOf([0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]);
const spaces = charactersIn("\t\n\f\r ");
const anything = complement([]);
const lineContent = complement(charactersIn("\n"));
const classes = new Map<string, CodePointSet>([
  ...([
    ["d", digits],
    ["w", word],
    ["s", spaces],
  ] as const),
  ...([
    ["D", complement(digits)],
    ["W", complement(word)],
    ["S", complement(spaces)],
  ] as const),
]);
const alphabetic = setOf([0x41, 0x5a], [0x61, 0x7a]);
const posixClasses = new Map<string, CodePointSet>([
  ["alnum", union(digits, alphabetic)],
  ["alpha", alphabetic],
  ["digit", digits],
  ["lower", setOf([0x61, 0x7a])],
  ["punct", setOf([0x21, 0x2f], [0x3a, 0x40], [0x5b, 0x60], [0x7b, 0x7e])],
  ["space", charactersIn("\t\n\v\f\r ")],
  ["upper", setOf([0x41, 0x5a])],
  ["word", word],
  ["xdigit", setOf([0x30, 0x39], [0x41, 0x46], [0x61, 0x66])],
]);
const controls = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["f", "\f"],
  ["v", "\v"],
  ["a", "\x07"],
] as const);

const textStart: Assertion = { type: "assertion", source: "^", behind: [] };
const textEnd: Assertion = { type: "assertion", source: "$", ahead: [] };
// JavaScript's own flag for lines takes more characters for ends of lines.
const lineStart: Assertion = { type: "assertion", source: String.raw`(?<![^\n])`, behind: charactersIn("\n") };
const lineEnd: Assertion = { type: "assertion", source: String.raw`(?![^\n])`, ahead: charactersIn("\n") };

const maxDepth = 20;
const maxRepeat = 50;

/** Reads a pattern of RE2 as far as JavaScript can match the same; undefined for all others, invalid ones among them. */
export function parsePattern(text: string): ParsedPattern | undefined {
  try {
    return new PatternParser(text).parse();
  } catch (error) {
    if (error instanceof Unread) return undefined;
    throw error;
  }
}

class PatternParser {
  readonly #characters: readonly string[];
  readonly #names = new Map<string, number>();
  #at = 0;
  #groups = 0;
  #depth = 0;
  #isMultiLine = false;
  #dot = lineContent;
  #isFolded = false;

  constructor(text: string) {
    this.#characters = Array.from(text);
  }

  parse(): ParsedPattern {
    const flags = this.#match(/^\(\?([ims]+)\)/);
    if (flags?.[1]?.includes("i") === true) this.#isFolded = true;
    if (flags?.[1]?.includes("m") === true) this.#isMultiLine = true;
    if (flags?.[1]?.includes("s") === true) this.#dot = anything;
    const pattern = this.#alternation();
    if (this.#at < this.#characters.length) throw new Unread();
    return { pattern, names: this.#names, groups: this.#groups };
  }

  #alternation(): Pattern {
    const branches = [this.#sequence()];
    while (this.#take("|")) branches.push(this.#sequence());
    return branches.length === 1 ? branches[0]! : { type: "alternation", branches };
  }

  #sequence(): Pattern {
    const items: Pattern[] = [];
    for (let next = this.#peek(); next !== undefined && next !== "|" && next !== ")"; next = this.#peek()) items.push(this.#repeated());
    if (items.length === 0) throw new Unread();
    return { type: "sequence", items };
  }

  #repeated(): Pattern {
    const body = this.#atom();
    const counts = this.#counts();
    if (counts === undefined) return body;
    const [min, max] = counts;
    const isLazy = this.#take("?");
    // One repetition of another is refused by RE2, and an assertion repeated is rare.
    if (this.#counts() !== undefined || body.type === "assertion") throw new Unread();
    return { type: "repeat", body, min, max, isLazy };
  }

  #counts(): readonly [min: number, max: number] | undefined {
    if (this.#take("*")) return [0, Infinity];
    if (this.#take("+")) return [1, Infinity];
    if (this.#take("?")) return [0, 1];
    const found = this.#match(/^\{(\d{1,3})(,?)(\d{0,3})\}/);
    if (found === undefined) return undefined;
    const min = Number(found[1]);
    const max = found[2] === "" ? min : found[3] === "" ? Infinity : Number(found[3]);
    if (min > maxRepeat || max < Math.max(min, 1) || (max > maxRepeat && max !== Infinity) || (found[2] === "" && found[3] !== ""))
      throw new Unread();
    return [min, max];
  }

  #atom(): Pattern {
    const character = this.#next();
    switch (character) {
      case "(":
        return this.#group();
      case "[":
        return { type: "set", set: this.#class() };
      case "\\":
        return this.#escape();
      case ".":
        return { type: "set", set: this.#dot };
      case "^":
        return this.#isMultiLine ? lineStart : textStart;
      case "$":
        return this.#isMultiLine ? lineEnd : textEnd;
      case "*":
      case "+":
      case "?":
      case "{":
        throw new Unread();
      default:
        return { type: "set", set: this.#folded(charactersIn(character)) };
    }
  }

  #group(): Pattern {
    if (++this.#depth > maxDepth) throw new Unread();
    const opening = this.#match(/^\?(?::|P?<([A-Za-z_]\w*)>)/);
    if (opening === undefined && this.#peek() === "?") throw new Unread();
    const name = opening?.[1];
    const isCaptured = opening === undefined || name !== undefined;
    if (isCaptured) this.#groups++;
    if (name !== undefined) {
      if (this.#names.has(name)) throw new Unread();
      this.#names.set(name, this.#groups);
    }
    const body = this.#alternation();
    if (!this.#take(")")) throw new Unread();
    this.#depth--;
    return { type: "group", body, isCaptured };
  }

  #escape(): Pattern {
    const character = this.#next();
    const known = this.#perlClass(character);
    if (known !== undefined) return { type: "set", set: known };
    if (character === "b" || character === "B") return { type: "assertion", source: `\\${character}` };
    if (character === "A") return textStart;
    if (character === "z") return textEnd;
    return { type: "set", set: this.#folded(charactersIn(escapedCharacter(character))) };
  }

  /** `\d` and its like. What is folded is folded before it is negated. */
  #perlClass(character: string): CodePointSet | undefined {
    if (!this.#isFolded || character.toLowerCase() !== "w") return classes.get(character);
    return character === "w" ? this.#folded(word) : complement(this.#folded(word));
  }

  /** A set with the other cases of its letters. Those beyond ASCII are left to the library. */
  #folded(set: CodePointSet): CodePointSet {
    if (!this.#isFolded) return set;
    if (set.some(([, last]) => last > 0x7f)) throw new Unread();
    const others = set.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, index) => otherCases(String.fromCharCode(first + index))),
    );
    return union(set, charactersIn(others.join("")));
  }

  #class(): CodePointSet {
    const isNegated = this.#take("^");
    const sets: CodePointSet[] = [];
    for (let isFirst = true; isFirst || this.#peek() !== "]"; isFirst = false) {
      const first = this.#classMember();
      if (typeof first !== "string") {
        sets.push(first);
        continue;
      }
      const last = this.#peek() === "-" && this.#characters[this.#at + 1] !== "]" ? this.#rangeEnd() : first;
      if (last.codePointAt(0)! < first.codePointAt(0)!) throw new Unread();
      sets.push(this.#folded([[first.codePointAt(0)!, last.codePointAt(0)!]]));
    }
    this.#next();
    const set = union(...sets);
    return isNegated ? complement(set) : set;
  }

  #rangeEnd(): string {
    this.#next();
    const last = this.#classMember();
    if (typeof last !== "string") throw new Unread();
    return last;
  }

  #classMember(): string | CodePointSet {
    const character = this.#next();
    if (character === "[" && this.#peek() === ":") return this.#posixClass();
    if (character !== "\\") return character;
    const escaped = this.#next();
    return this.#perlClass(escaped) ?? escapedCharacter(escaped);
  }

  #posixClass(): CodePointSet {
    const found = this.#match(/^:(\^?)([a-z]+):\]/);
    const known = posixClasses.get(found?.[2] ?? "");
    if (known === undefined) throw new Unread();
    return found?.[1] === "^" ? complement(this.#folded(known)) : this.#folded(known);
  }

  #peek(): string | undefined {
    return this.#characters[this.#at];
  }

  #next(): string {
    const character = this.#characters[this.#at++];
    if (character === undefined) throw new Unread();
    return character;
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at++;
    return true;
  }

  /** Reads what a shape in ASCII finds here. */
  #match(shape: RegExp): RegExpExecArray | undefined {
    const found = shape.exec(this.#characters.slice(this.#at, this.#at + 100).join(""));
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }
}

/** The characters in ASCII and beyond that differ from a letter in their case only; nothing for any other character. */
function otherCases(character: string): string {
  if (!/[A-Za-z]/.test(character)) return "";
  const special = /[kK]/.test(character) ? "\u212a" : /[sS]/.test(character) ? "\u017f" : "";
  return character.toLowerCase() + character.toUpperCase() + special;
}

/** What an escape stands for: a control character, or punctuation itself. */
function escapedCharacter(character: string): string {
  const control = (controls as ReadonlyMap<string, string>).get(character);
  if (control !== undefined) return control;
  if (/^[\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]$/.test(character)) return character;
  throw new Unread();
}
