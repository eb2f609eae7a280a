import { isAscii } from "../../template/index.ts";
import { RuneBuilder } from "./rune-builder.ts";

/**
 * Character classes of Go's package unicode, and its simple case mapping of one character to one. (JavaScript maps ß to two
 * letters, and sigma depends on its position.)
 */

/** Whether characters belong to a class. Most texts are ASCII, and a table answers faster than an expression. */
function classOf(expression: RegExp): (character: string) => boolean {
  const table = Array.from({ length: 128 }, (_, code) => expression.test(String.fromCharCode(code)));
  return (character) => (character.length === 1 ? table[character.charCodeAt(0)] : undefined) ?? expression.test(character);
}

const isOneByte = classOf(/^[\0-\x7f]$/);
export const isSpace = classOf(/^[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/);
const isUpper = classOf(/^\p{Lu}$/u);
const isLower = classOf(/^\p{Ll}$/u);
const isTitle = classOf(/^\p{Lt}$/u);
const isLetter = classOf(/^\p{L}$/u);
const isDigit = classOf(/^\p{Nd}$/u);
const isNumber = classOf(/^\p{N}$/u);
const isPunctuation = classOf(/^\p{P}$/u);

const surrogate = /[\ud800-\udfff]/;

/** The characters of a text. An invalid byte becomes U+FFFD, as in Go. */
export function goRunes(text: string): string[] {
  return Array.from(text.toWellFormed());
}

/** The code points of a text. An invalid byte becomes U+FFFD, as in Go. */
export function goCodes(text: string): Uint32Array {
  return codesOf(text.toWellFormed());
}

/** The code points of a text, with invalid bytes as they are. */
export function codesOf(text: string): Uint32Array {
  if (isAscii(text)) return new Uint32Array(Buffer.from(text, "latin1"));
  if (surrogate.test(text)) return Uint32Array.from(Array.from(text, (character) => character.codePointAt(0)!));
  const bytes = Buffer.from(text, "utf16le");
  return Uint32Array.from({ length: text.length }, (_, at) => bytes.readUInt16LE(2 * at));
}

/** The text of what becomes of each code point. */
export function mapCodes(text: string, map: (code: number) => number): string {
  const codes = goCodes(text);
  const out = new RuneBuilder(text.length);
  for (let at = 0; at < codes.length; at++) out.add(map(codes[at]!));
  return out.text();
}

const lowerLetters = classOf(/^[a-z]$/);
const upperLetters = classOf(/^[A-Z]$/);

function upperRune(character: string): string {
  if (isOneByte(character)) return lowerLetters(character) ? String.fromCharCode(character.charCodeAt(0) - 32) : character;
  const upper = character.toUpperCase();
  if (single(upper)) return upper;
  return iotaPartners.get(character) ?? character;
}

function lowerRune(character: string): string {
  if (isOneByte(character)) return upperLetters(character) ? String.fromCharCode(character.charCodeAt(0) + 32) : character;
  if (character === "\u0130") return "i";
  const lower = character.toLowerCase();
  return single(lower) ? lower : character;
}

/** The title case, which differs from the upper case for few characters. */
function titleRune(character: string): string {
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

const asciiCharacters = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

function asciiTable(isIn: (character: string) => boolean): Uint8Array {
  return Uint8Array.from(asciiCharacters, (character) => Number(isIn(character)));
}

function asciiMap(map: (character: string) => string): Uint8Array {
  return Uint8Array.from(asciiCharacters, (character) => map(character).charCodeAt(0));
}

/** By code: one for a character of a class, or what it becomes. For loops over long texts, in which a call for each character costs most. */
export const ascii = {
  spaces: asciiTable(isSpace),
  upper: asciiTable(isUpper),
  lower: asciiTable(isLower),
  letters: asciiTable(isLetter),
  numbers: asciiTable(isNumber),
  punctuation: asciiTable(isPunctuation),
  toUpper: asciiMap(upperRune),
  toLower: asciiMap(lowerRune),
  separators: asciiTable((character) => !/^\w$/.test(character)),
};

// The same for code points. A function each, with a table of its own: what all of them share would not be compiled into its callers.

export function isSpaceCode(code: number): boolean {
  return code < 128 ? ascii.spaces[code] === 1 : isSpace(String.fromCodePoint(code));
}

export function isUpperCode(code: number): boolean {
  return code < 128 ? ascii.upper[code] === 1 : isUpper(String.fromCodePoint(code));
}

export function isLowerCode(code: number): boolean {
  return code < 128 ? ascii.lower[code] === 1 : isLower(String.fromCodePoint(code));
}

export function isTitleCode(code: number): boolean {
  return code >= 128 && isTitle(String.fromCodePoint(code));
}

export function isLetterCode(code: number): boolean {
  return code < 128 ? ascii.letters[code] === 1 : isLetter(String.fromCodePoint(code));
}

export function isNumberCode(code: number): boolean {
  return code < 128 ? ascii.numbers[code] === 1 : isNumber(String.fromCodePoint(code));
}

export function isPunctuationCode(code: number): boolean {
  return code < 128 ? ascii.punctuation[code] === 1 : isPunctuation(String.fromCodePoint(code));
}

export function upperCode(code: number): number {
  return code < 128 ? ascii.toUpper[code]! : upperRune(String.fromCodePoint(code)).codePointAt(0)!;
}

export function lowerCode(code: number): number {
  return code < 128 ? ascii.toLower[code]! : lowerRune(String.fromCodePoint(code)).codePointAt(0)!;
}

export function titleCode(code: number): number {
  return code < 128 ? ascii.toUpper[code]! : titleRune(String.fromCodePoint(code)).codePointAt(0)!;
}

export function toUpper(text: string): string {
  return isAscii(text)
    ? text.toUpperCase()
    : text.replaceAll(/[a-z]+|[^\0-\x7f]/gu, (part) => (isAscii(part) ? part.toUpperCase() : mapCodes(part, upperCode)));
}

export function toLower(text: string): string {
  return isAscii(text)
    ? text.toLowerCase()
    : text.replaceAll(/[A-Z]+|[^\0-\x7f]/gu, (part) => (isAscii(part) ? part.toLowerCase() : mapCodes(part, lowerCode)));
}

/** Capitalizes every word. A word begins after a separator. */
export function toTitle(text: string): string {
  if (isAscii(text)) return asciiTitle(text);
  let starts = true;
  return mapCodes(text, (code) => {
    const mapped = starts ? titleCode(code) : code;
    starts = separates(code);
    return mapped;
  });
}

function asciiTitle(text: string): string {
  const bytes = Buffer.from(text, "latin1");
  const { separators, toUpper: upper } = ascii;
  let starts = 1;
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at]!;
    if (starts === 1) bytes[at] = upper[code]!;
    starts = separators[code]!;
  }
  return bytes.toString("latin1");
}

function separates(code: number): boolean {
  if (code < 128) return ascii.separators[code] === 1;
  const character = String.fromCodePoint(code);
  return !isLetter(character) && !isDigit(character) && isSpace(character);
}
