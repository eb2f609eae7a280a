import { isAscii } from "../../template/index.ts";

/**
 * Character classes of Go's package unicode, and its simple case mapping of one character to one. (JavaScript maps ß to two
 * letters, and sigma depends on its position.)
 */

const broken = "\ufffd";

export function isSpace(character: string): boolean {
  return /^[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/.test(character);
}

export function isUpper(character: string): boolean {
  return /^\p{Lu}$/u.test(character);
}

export function isLower(character: string): boolean {
  return /^\p{Ll}$/u.test(character);
}

export function isTitle(character: string): boolean {
  return /^\p{Lt}$/u.test(character);
}

export function isLetter(character: string): boolean {
  return /^\p{L}$/u.test(character);
}

function isDigit(character: string): boolean {
  return /^\p{Nd}$/u.test(character);
}

export function isNumber(character: string): boolean {
  return /^\p{N}$/u.test(character);
}

export function isPunctuation(character: string): boolean {
  return /^\p{P}$/u.test(character);
}

/** The runes of a text. An invalid byte becomes U+FFFD, as in Go. */
export function goRunes(text: string): string[] {
  return Array.from(text, (character) => (isRaw(character) ? broken : character));
}

function isRaw(character: string): boolean {
  return character.length === 1 && character >= "\ud800" && character <= "\udfff";
}

export function upperRune(character: string): string {
  const upper = character.toUpperCase();
  if (single(upper)) return upper;
  return iotaPartners.get(character) ?? character;
}

export function lowerRune(character: string): string {
  if (character === "\u0130") return "i";
  const lower = character.toLowerCase();
  return single(lower) ? lower : character;
}

/** The title case, which differs from the upper case for few characters. */
export function titleRune(character: string): string {
  const digraph = digraphs.find((forms) => forms.includes(character));
  if (digraph !== undefined) return digraph[1]!;
  if (/^[\u10d0-\u10ff]$/.test(character)) return character;
  return upperRune(character);
}

const digraphs = ["\u01c4\u01c5\u01c6", "\u01c7\u01c8\u01c9", "\u01ca\u01cb\u01cc", "\u01f1\u01f2\u01f3"];

/** Greek letters with iota subscript and their title-case partners. */
const iotaPartners = new Map<string, string>([
  ...[0x1f80, 0x1f90, 0x1fa0].flatMap((start) =>
    Array.from({ length: 8 }, (_, index): [string, string] => [String.fromCharCode(start + index), String.fromCharCode(start + index + 8)]),
  ),
  ["\u1fb3", "\u1fbc"],
  ["\u1fc3", "\u1fcc"],
  ["\u1ff3", "\u1ffc"],
]);

function single(text: string): boolean {
  return text.length === 1 || (text.length === 2 && text.codePointAt(0)! > 0xffff);
}

export function toUpper(text: string): string {
  return isAscii(text) ? text.toUpperCase() : goRunes(text).map(upperRune).join("");
}

export function toLower(text: string): string {
  return isAscii(text) ? text.toLowerCase() : goRunes(text).map(lowerRune).join("");
}

/** Capitalizes every word. A word begins after a separator. */
export function toTitle(text: string): string {
  let previous = " ";
  return goRunes(text)
    .map((character) => {
      const starts = separates(previous);
      previous = character;
      return starts ? titleRune(character) : character;
    })
    .join("");
}

function separates(character: string): boolean {
  if (isAscii(character)) return !/^\w$/.test(character);
  return !isLetter(character) && !isDigit(character) && isSpace(character);
}
