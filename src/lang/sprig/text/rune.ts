import { isAscii } from "../../template/index.ts";
import { RuneBuilder } from "./rune-builder.ts";

/**
 * Character classes of Go's package unicode, and its simple case mapping of one character to one. (JavaScript maps ß to two
 * letters, and sigma depends on its position.)
 */

const broken = "\ufffd";

/** Whether characters belong to a class. Most texts are ASCII, and a table answers faster than an expression. */
function classOf(expression: RegExp): (character: string) => boolean {
  const table = Array.from({ length: 128 }, (_, code) => expression.test(String.fromCharCode(code)));
  return (character) => (character.length === 1 ? table[character.charCodeAt(0)] : undefined) ?? expression.test(character);
}

const isOneByte = classOf(/^[\0-\x7f]$/);
export const isSpace = classOf(/^[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/);
export const isUpper = classOf(/^\p{Lu}$/u);
export const isLower = classOf(/^\p{Ll}$/u);
export const isTitle = classOf(/^\p{Lt}$/u);
export const isLetter = classOf(/^\p{L}$/u);
const isDigit = classOf(/^\p{Nd}$/u);
export const isNumber = classOf(/^\p{N}$/u);
export const isPunctuation = classOf(/^\p{P}$/u);

/** Characters by position. A text itself is one as long as each of its characters is one unit. */
export type Runes = { readonly length: number; readonly [index: number]: string };

const surrogate = /[\ud800-\udfff]/;

/** The runes of a text. An invalid byte becomes U+FFFD, as in Go. */
export function goRunes(text: string): Runes {
  return surrogate.test(text) ? Array.from(text, (character) => (isRaw(character) ? broken : character)) : text;
}

/** The runes of a text, with invalid bytes as they are. */
export function runesOf(text: string): Runes {
  return surrogate.test(text) ? Array.from(text) : text;
}

/** The text of some runes. */
export function runesBetween(runes: Runes, start: number, end: number): string {
  let text = "";
  if (typeof runes === "string") return runes.slice(start, end);
  for (let at = start; at < end; at++) text += runes[at];
  return text;
}

/** The text of what becomes of each rune. */
export function mapRunes(text: string, map: (rune: string) => string): string {
  const runes = goRunes(text);
  const out = new RuneBuilder(text.length);
  for (let at = 0; at < runes.length; at++) out.add(map(runes[at]!));
  return out.text();
}

function isRaw(character: string): boolean {
  return character.length === 1 && character >= "\ud800" && character <= "\udfff";
}

const lowerLetters = classOf(/^[a-z]$/);
const upperLetters = classOf(/^[A-Z]$/);

export function upperRune(character: string): string {
  if (isOneByte(character)) return lowerLetters(character) ? String.fromCharCode(character.charCodeAt(0) - 32) : character;
  const upper = character.toUpperCase();
  if (single(upper)) return upper;
  return iotaPartners.get(character) ?? character;
}

export function lowerRune(character: string): string {
  if (isOneByte(character)) return upperLetters(character) ? String.fromCharCode(character.charCodeAt(0) + 32) : character;
  if (character === "\u0130") return "i";
  const lower = character.toLowerCase();
  return single(lower) ? lower : character;
}

/** The title case, which differs from the upper case for few characters. */
export function titleRune(character: string): string {
  if (isOneByte(character)) return upperRune(character);
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
  return isAscii(text)
    ? text.toUpperCase()
    : text.replaceAll(/[a-z]+|[^\0-\x7f]/gu, (part) => (isAscii(part) ? part.toUpperCase() : mapRunes(part, upperRune)));
}

export function toLower(text: string): string {
  return isAscii(text)
    ? text.toLowerCase()
    : text.replaceAll(/[A-Z]+|[^\0-\x7f]/gu, (part) => (isAscii(part) ? part.toLowerCase() : mapRunes(part, lowerRune)));
}

/** Capitalizes every word. A word begins after a separator. */
export function toTitle(text: string): string {
  let previous = " ";
  return mapRunes(text, (character) => {
    const starts = separates(previous);
    previous = character;
    return starts ? titleRune(character) : character;
  });
}

const isWord = classOf(/^\w$/);

function separates(character: string): boolean {
  if (isOneByte(character)) return !isWord(character);
  return !isLetter(character) && !isDigit(character) && isSpace(character);
}
