import { charge } from "../../../core/cost/index.ts";
import { ascii, codesOf, isNumberCode, isPunctuationCode, isUpperCode, lowerCode } from "./rune.ts";
import { textOfUnits } from "./rune-builder.ts";
import { endOf, isAlphabetic, isConnector } from "./word.ts";

/** A character, as it takes time. */
const costOfCharacter = 8;
const { toLower } = ascii;

/** What words consist of. */
const kinds = { none: 0, number: 1, upper: 2, letters: 3, connector: 4, punctuation: 5, other: 6 } as const;

/** Converts to `snake_case` and `kebab-case`. Models github.com/huandu/xstrings. */
export function joinedWords(text: string, connector: "_" | "-"): string {
  charge(costOfCharacter * text.length);
  const words = wordsIn(codesOf(text));
  markJoined(words);
  return written(words, connector.charCodeAt(0));
}

/** The kind of each word, where it ends, and whether a connector is put before it: in a long text there are too many for an object each. */
type Words = {
  readonly codes: Uint32Array;
  /** None beyond the last one. */
  readonly kinds: Uint8Array;
  readonly ends: Uint32Array;
  readonly joined: Uint8Array;
  readonly count: number;
};

function wordsIn(codes: Uint32Array): Words {
  const found = new Uint8Array(codes.length + 1);
  const ends = new Uint32Array(codes.length);
  let count = 0;
  for (let at = 0; at < codes.length;) {
    const kind = kindOf(codes[at]!);
    at = kind === kinds.upper ? endOfCapitalized(codes, at) : endOfWord(codes, at + 1, kind);
    found[count] = kind;
    ends[count++] = at;
  }
  return { codes, kinds: found, ends, joined: new Uint8Array(count + 1), count };
}

function markJoined({ kinds: found, joined, count }: Words): void {
  for (let at = 0; at < count - 1;) {
    const kind = found[at++];
    if (kind === kinds.connector || kind === kinds.punctuation) continue;
    let isTail = kind === kinds.number;
    if (!isTail && found[at] === kinds.number) {
      if (at === count - 1) break;
      isTail = found[at + 1] === kinds.letters;
      if (isTail) joined[at] = 1;
      at++;
    }
    // Letters and digits after a number belong to it.
    if (isTail) while (found[at] === kinds.letters || found[at] === kinds.number) at++;
    if (found[at] !== kinds.punctuation && found[at] !== kinds.connector) joined[at] = 1;
  }
}

function written({ codes, kinds: found, ends, joined, count }: Words, connector: number): string {
  // A character may take two units.
  const units = new Uint16Array(2 * codes.length + count);
  let length = 0;
  let seen = 0;
  for (let word = 0, at = 0; word < count; word++) {
    const end = ends[word]!;
    const kind = found[word];
    if (joined[word] === 1) units[length++] = connector;
    for (; at < end; at++) {
      let code = codes[at]!;
      if (kind === kinds.connector) code = connector;
      else if (kind === kinds.upper) code = code < 128 ? toLower[code]! : isUpperCode(code) ? lowerCode(code) : code;
      seen |= code;
      if (code > 0xffff) {
        units[length++] = 0xd800 + ((code - 0x10000) >> 10);
        units[length++] = 0xdc00 + (code & 0x3ff);
      } else units[length++] = code;
    }
  }
  return textOfUnits(units.subarray(0, length), seen);
}

function endOfWord(codes: Uint32Array, from: number, kind: number): number {
  const goesOn = asciiContinues[kind]!;
  for (let end = from; end < codes.length; end++) {
    const code = codes[end]!;
    if (code < 128 ? goesOn[code] === 0 : !continues(kind, code)) return end;
  }
  return codes.length;
}

function kindOf(code: number): number {
  if (code < 128) return asciiKinds[code]!;
  return unicodeKindOf(code);
}

function unicodeKindOf(code: number): number {
  if (isConnector(code)) return kinds.connector;
  if (isPunctuationCode(code)) return kinds.punctuation;
  if (isUpperCode(code)) return kinds.upper;
  if (isAlphabetic(code)) return kinds.letters;
  return isNumberCode(code) ? kinds.number : kinds.other;
}

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => unicodeKindOf(code));

/** Whether a word goes on with a character of the same kind. Connectors that are punctuation go on with punctuation. */
function continues(kind: number, code: number): boolean {
  return kind === kinds.punctuation ? isPunctuationCode(code) : kindOf(code) === kind;
}

const asciiContinues = Array.from({ length: 7 }, (_, kind) =>
  Uint8Array.from({ length: 128 }, (__, code) => Number(continues(kind, code))),
);

/** The end of a capitalized word or a run of capitals. The last capital of a run belongs to the letters after it. */
function endOfCapitalized(codes: Uint32Array, start: number): number {
  const next = codes[start + 1];
  if (next === undefined) return start + 1;
  if (!isUpperCode(next)) return isAlphabetic(next) ? endOfWord(codes, start + 2, kinds.letters) : start + 1;
  const end = endOf(codes, start + 2, isUpperCode);
  const after = codes[end];
  return after !== undefined && isAlphabetic(after) ? end - 1 : end;
}
