import { byParts } from "./by-parts.ts";

const visible = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const plainQuoted = /^[ !#-[\]-~]*$/;

const escapes = new Map<number, string>([
  [7, "\\a"],
  [8, "\\b"],
  [9, "\\t"],
  [10, "\\n"],
  [11, "\\v"],
  [12, "\\f"],
  [13, "\\r"],
  [92, "\\\\"],
]);

/** Whether Go considers a code point printable. */
export function isPrintable(point: number): boolean {
  if (point < 0x7f) return point >= 0x20;
  return visible.test(String.fromCodePoint(point));
}

/** Models strconv.Quote, which is `%q`. With `ascii` it is `%+q`. */
export function quote(text: string, options: { readonly ascii?: boolean } = {}): string {
  if (plainQuoted.test(text)) return `"${text}"`;
  const escape = (character: string) => escaped(character.codePointAt(0) ?? 0, 34, options.ascii ?? false);
  return `"${byParts(text, (part) => part.replaceAll(/[^ !#-[\]-~]/gu, escape))}"`;
}

/** Models `%.Nq` of a string. */
export function quoteStart(text: string, count: number): string {
  return quote([...text].slice(0, count).join(""));
}

/** Models strconv.QuoteRune, which is `%q` of a number. */
export function quoteRune(point: number, options: { readonly ascii?: boolean } = {}): string {
  return `'${escaped(isRune(point) ? point : 0xfffd, 39, options.ascii ?? false)}'`;
}

/** Whether a number is a valid code point. */
export function isRune(point: number): boolean {
  return (point >= 0 && point < 0xd800) || (point > 0xdfff && point <= 0x10ffff);
}

/** Models `%#U`: `U+002D '-'`. */
export function unicodeName(point: number): string {
  const rune = isRune(point) ? point : 0xfffd;
  const name = `U+${hex(rune, 4).toUpperCase()}`;
  return isPrintable(rune) ? `${name} '${String.fromCodePoint(rune)}'` : name;
}

/** Whether a text can be a raw string on one line. Models strconv.CanBackquote. */
export function canBackquote(text: string): boolean {
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    if (point === 0xfeff || point === 0x60 || point === 0x7f || (point < 32 && point !== 9)) return false;
    if (point >= 0xdc80 && point <= 0xdcff) return false;
  }
  return true;
}

function escaped(point: number, mark: number, ascii: boolean): string {
  if (point >= 0xdc80 && point <= 0xdcff) return `\\x${hex(point - 0xdc00, 2)}`;
  if (point === mark) return `\\${String.fromCodePoint(point)}`;
  const known = escapes.get(point);
  if (known !== undefined) return known;
  if (isPrintable(point) && (!ascii || point < 0x80)) return String.fromCodePoint(point);
  if (point < 0x20 || point === 0x7f) return `\\x${hex(point, 2)}`;
  return point < 0x10000 ? `\\u${hex(point, 4)}` : `\\U${hex(point, 8)}`;
}

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, "0");
}
