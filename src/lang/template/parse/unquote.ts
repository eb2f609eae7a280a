import { fromBytes, toBytes } from "../value/index.ts";

const simple = /^[^\\"\n]*$/;
const single: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, "\\": 92 };
const escape = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|([abfnrtv\\'"]))/y;

/** Parses a Go string literal, quoted or raw; undefined when it is invalid. Models strconv.Unquote. */
export function unquoteGo(literal: string): string | undefined {
  const mark = literal[0];
  const inner = literal.slice(1, -1);
  if (mark === "`") return inner.replaceAll("\r", "");
  if (simple.test(inner)) return inner;
  let text = "";
  let hasBytes = false;
  for (let at = 0; at < inner.length;) {
    const next = inner.indexOf("\\", at);
    if (next < 0) {
      text += inner.slice(at);
      break;
    }
    text += inner.slice(at, next);
    const read = readEscape(inner, next, '"');
    if (read === undefined) return undefined;
    hasBytes ||= read.isByte && read.point >= 0x80;
    text += read.isByte && read.point >= 0x80 ? String.fromCharCode(0xdc00 + read.point) : String.fromCodePoint(read.point);
    at = read.end;
  }
  // Escaped bytes may form a character together.
  return hasBytes ? fromBytes(toBytes(text)) : text;
}

/** Parses a Go character literal. Also returns the rest before the closing quote. */
export function unquoteCharacter(literal: string): { readonly point: number; readonly rest: string } | undefined {
  const first = literal.codePointAt(1) ?? 0;
  if (first === 39 || literal.length < 3) return undefined;
  if (first !== 92) return { point: first, rest: literal.slice(1 + String.fromCodePoint(first).length) };
  const read = readEscape(literal, 1, "'");
  return read === undefined ? undefined : { point: read.point, rest: literal.slice(read.end) };
}

type Escape = {
  readonly point: number;
  readonly end: number;
  readonly isByte: boolean;
};

function readEscape(text: string, at: number, mark: string): Escape | undefined {
  escape.lastIndex = at;
  const found = escape.exec(text);
  if (found === null) return undefined;
  const [whole, byte, short, long, octal, letter] = found;
  const end = at + whole.length;
  if (letter !== undefined) return letterEscape(letter, mark, end);
  if (octal !== undefined) return octalEscape(Number.parseInt(octal, 8), end);
  const point = Number.parseInt(byte ?? short ?? long ?? "", 16);
  const valid = byte !== undefined || (point <= 0x10ffff && (point < 0xd800 || point > 0xdfff));
  return valid ? { point, end, isByte: byte !== undefined } : undefined;
}

function letterEscape(letter: string, mark: string, end: number): Escape | undefined {
  if (letter === "'" || letter === '"') return letter === mark ? { point: letter.charCodeAt(0), end, isByte: false } : undefined;
  return { point: single[letter] ?? 0, end, isByte: false };
}

function octalEscape(point: number, end: number): Escape | undefined {
  return point > 255 ? undefined : { point, end, isByte: true };
}
