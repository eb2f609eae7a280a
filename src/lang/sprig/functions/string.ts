import { charge, chargeSearch } from "../../../core/cost/index.ts";
import {
  goFunction,
  byteLength,
  sliceBytes,
  type FunctionTable,
  type Integer,
  type GoValue,
  quote as quoteText,
  sprintValue,
} from "../../template/index.ts";
import { strval } from "../strval.ts";
import { panic } from "../panic.ts";
import { abbreviateText, initialsOf, withoutSpace, wrapText } from "../text/line.ts";
import { isSpace, toLower, toTitle, toUpper } from "../text/rune.ts";
import { joinedWords } from "../text/joined-words.ts";
import { pascalCase, swappedCase, untitled } from "../text/word.ts";
import { repeated } from "../text/repeat.ts";

/** Strings: case, words, lines, quoting and slicing. */
export const stringFunctions: FunctionTable = {
  hello: goFunction("func() string", () => "Hello!"),
  abbrev: goFunction("func(int, string) string", (width: Integer, text: string) => abbreviate(0, Number(width.value), text)),
  abbrevboth: goFunction("func(int, int, string) string", (left: Integer, right: Integer, text: string) =>
    abbreviate(Number(left.value), Number(right.value), text),
  ),
  trunc: goFunction("func(int, string) string", (count: Integer, text: string) => truncated(Number(count.value), text)),
  trim: goFunction("func(string) string", trimSpace),
  upper: goFunction("func(string) string", toUpper),
  lower: goFunction("func(string) string", toLower),
  title: goFunction("func(string) string", toTitle),
  untitle: goFunction("func(string) string", untitled),
  substr: goFunction("func(int, int, string) string", (start: Integer, end: Integer, text: string) =>
    substring(Number(start.value), Number(end.value), text),
  ),
  repeat: goFunction("func(int, string) string", (count: Integer, text: string) => repeated(text, Number(count.value))),
  trimAll: goFunction("func(string, string) string", trimAll),
  trimall: goFunction("func(string, string) string", trimAll),
  trimSuffix: goFunction("func(string, string) string", (suffix: string, text: string) =>
    suffix !== "" && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text,
  ),
  trimPrefix: goFunction("func(string, string) string", (prefix: string, text: string) =>
    text.startsWith(prefix) ? text.slice(prefix.length) : text,
  ),
  nospace: goFunction("func(string) string", withoutSpace),
  initials: goFunction("func(string) string", initialsOf),
  swapcase: goFunction("func(string) string", swappedCase),
  snakecase: goFunction("func(string) string", (text: string) => joinedWords(text, "_")),
  camelcase: goFunction("func(string) string", pascalCase),
  kebabcase: goFunction("func(string) string", (text: string) => joinedWords(text, "-")),
  wrap: goFunction("func(int, string) string", (width: Integer, text: string) => wrap(width, "", text, false)),
  wrapWith: goFunction("func(int, string, string) string", (width: Integer, separator: string, text: string) =>
    wrap(width, separator, text, true),
  ),
  contains: goFunction("func(string, string) bool", (part: string, text: string) => {
    chargeSearch(text, part);
    return text.includes(part);
  }),
  hasPrefix: goFunction("func(string, string) bool", (part: string, text: string) => text.startsWith(part)),
  hasSuffix: goFunction("func(string, string) bool", (part: string, text: string) => text.endsWith(part)),
  quote: goFunction("func(...interface {}) string", quote),
  squote: goFunction("func(...interface {}) string", singleQuote),
  cat: goFunction("func(...interface {}) string", cat),
  indent: goFunction("func(int, string) string", (count: Integer, text: string) => indent(count, text)),
  nindent: goFunction("func(int, string) string", (count: Integer, text: string) => `\n${indent(count, text)}`),
  replace: goFunction("func(string, string, string) string", replace),
  plural: goFunction("func(string, string, int) string", (one: string, many: string, count: Integer) => (count.value === 1 ? one : many)),
  toString: goFunction("func(interface {}) string", strval),
};

function abbreviate(offset: number, width: number, text: string): string {
  return width < 4 || (offset > 0 && width < 7) ? text : abbreviateText(text, offset, width);
}

function truncated(count: number, text: string): string {
  const length = byteLength(text);
  if (count < 0) return length + count > 0 ? sliceBytes(text, length + count, length) : text;
  return length > count ? sliceBytes(text, 0, count) : text;
}

function trimSpace(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text[start]!)) start++;
  while (end > start && isSpace(text[end - 1]!)) end--;
  return text.slice(start, end);
}

/** A character as a text of its own. */
const costOfCharacter = 32;

/** Trims the characters of `cutset` from both ends. */
function trimAll(cutset: string, text: string): string {
  charge(costOfCharacter * cutset.length);
  const set = new Set(cutset);
  let [start, end] = [0, text.length];
  while (start < end) {
    const first = String.fromCodePoint(text.codePointAt(start)!);
    if (!set.has(first)) break;
    start += first.length;
  }
  while (end > start) {
    const last = lastRune(text, start, end);
    if (!set.has(last)) break;
    end -= last.length;
  }
  return text.slice(start, end);
}

/** The last character before an end. */
function lastRune(text: string, start: number, end: number): string {
  const pair = end - start > 1 ? text.slice(end - 2, end) : "";
  return pair !== "" && pair.codePointAt(0)! > 0xffff ? pair : text[end - 1]!;
}

function substring(start: number, end: number, text: string): string {
  const length = byteLength(text);
  if (start < 0) {
    if (end < 0) panic(`runtime error: slice bounds out of range [:${end}]`);
    if (end > length) panic(`runtime error: slice bounds out of range [:${end}] with length ${length}`);
    return sliceBytes(text, 0, end);
  }
  const stop = end < 0 || end > length ? length : end;
  if (start > stop) panic(`runtime error: slice bounds out of range [${start}:${stop}]`);
  return sliceBytes(text, start, stop);
}

function wrap(width: Integer, separator: string, text: string, breakWords: boolean): string {
  return wrapText(text, Math.max(Number(width.value), 1), separator === "" ? "\n" : separator, breakWords);
}

function quote(...values: GoValue[]): string {
  let out = "";
  for (const value of values) {
    if (value === null || value === undefined) continue;
    out += out === "" ? quoteText(strval(value)) : ` ${quoteText(strval(value))}`;
  }
  return out;
}

function singleQuote(...values: GoValue[]): string {
  let out = "";
  for (const value of values) {
    if (value === null || value === undefined) continue;
    out += out === "" ? `'${sprintValue(value)}'` : ` '${sprintValue(value)}'`;
  }
  return out;
}

function cat(...values: GoValue[]): string {
  return values
    .filter((value) => value !== null && value !== undefined)
    .map(sprintValue)
    .join(" ");
}

const paddings = Array.from({ length: 33 }, (_, count) => " ".repeat(count));

function indent(count: Integer, text: string): string {
  const padding = paddings[Number(count.value)] ?? repeated(" ", Number(count.value));
  if (!text.includes("\n")) return padding + text;
  charge(countOf("\n", text) * padding.length);
  return padding + text.replaceAll("\n", `\n${padding}`);
}

function replace(old: string, replacement: string, text: string): string {
  // Go has no position between surrogate halves.
  if (old === "") {
    charge((costOfCharacter + replacement.length) * text.length);
    return replacement + Array.from(text, (character) => character + replacement).join("");
  }
  chargeSearch(text, old);
  if (!text.includes(old)) return text;
  charge(countOf(old, text) * replacement.length);
  return replacedAll(text, old, replacement);
}

/** So many pieces are joined at once: an engine that replaces keeps all of them, with a node of a tree for each. */
const piecesAtOnce = 2 ** 14;

function replacedAll(text: string, old: string, replacement: string): string {
  const joined: string[] = [];
  let pieces: string[] = [];
  let from = 0;
  for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, from)) {
    pieces.push(text.slice(from, at));
    from = at + old.length;
    if (pieces.length < piecesAtOnce) continue;
    joined.push(pieces.join(replacement));
    pieces = [];
  }
  return [...joined, [...pieces, text.slice(from)].join(replacement)].join(replacement);
}

function countOf(part: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++;
  return count;
}
