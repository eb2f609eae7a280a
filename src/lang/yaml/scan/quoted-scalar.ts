import { blank, blankOrEnd, characters, code, doubleQuote, hexDigit, highSurrogate, lineBreak, singleQuote, textEnd } from "./character.ts";
import type { TextCursor } from "./text-cursor.ts";
import { foldBreaks } from "./plain-scalar.ts";

/**
 * Scans a quoted scalar. Most are one line without escapes and need no copy. Models yaml_parser_scan_flow_scalar of
 * go.yaml.in/yaml/v2 scannerc.go.
 */
export function scanQuotedScalar(cursor: TextCursor, isSingle: boolean): void {
  const { codes } = cursor;
  const stop = (isSingle ? singleQuote : doubleQuote) | lineBreak | textEnd | highSurrogate;
  const quote = isSingle ? code.quote : code.doubleQuote;
  let pos = cursor.pos + 1;
  while ((characters[codes[pos]!]! & stop) === 0) pos++;
  cursor.from = cursor.pos + 1;
  if (codes[pos] === quote && (!isSingle || codes[pos + 1] !== quote)) {
    cursor.to = pos;
    cursor.cooked = undefined;
    cursor.pos = pos + 1;
    return;
  }
  cursor.pos++;
  cursor.cooked = isSingle ? longQuoted(cursor, singleRun, quote) : longQuoted(cursor, doubleRun, quote);
  cursor.to = cursor.pos;
  cursor.pos++;
}

/** The text up to white space or the closing quote, and whether it ended in an escaped line break. */
type Run = { value: string; isBroken: boolean };

function longQuoted(cursor: TextCursor, readRun: (cursor: TextCursor) => Run, quote: number): string {
  const { codes } = cursor;
  let value = "";
  for (;;) {
    if (cursor.pos === cursor.lineStart && cursor.isAtMarker()) cursor.fail("found unexpected document indicator");
    if (codes[cursor.pos] === 0) cursor.fail("found unexpected end of stream");
    const run = readRun(cursor);
    value += run.value;
    if (codes[cursor.pos] === quote) return value;
    value += whiteSpace(cursor, run.isBroken);
  }
}

function whiteSpace(cursor: TextCursor, isBroken: boolean): string {
  const { codes, text } = cursor;
  const from = cursor.pos;
  let isLeading = isBroken;
  let firstBreak = "";
  let moreBreaks = "";
  for (;;) {
    const kind = characters[codes[cursor.pos]!]!;
    if ((kind & blank) !== 0) cursor.pos++;
    else if ((kind & lineBreak) === 0) break;
    else if (isLeading) moreBreaks += cursor.passBreak();
    else {
      firstBreak = cursor.passBreak();
      isLeading = true;
    }
  }
  if (!isLeading) return text.slice(from, cursor.pos);
  return firstBreak === "" ? moreBreaks : foldBreaks(firstBreak, moreBreaks);
}

function singleRun(cursor: TextCursor): Run {
  const { codes, text } = cursor;
  let value = "";
  let from = cursor.pos;
  for (;;) {
    const found = codes[cursor.pos]!;
    if ((characters[found]! & blankOrEnd) !== 0) break;
    if (found === code.quote) {
      if (codes[cursor.pos + 1] !== code.quote) break;
      value += text.slice(from, cursor.pos + 1);
      cursor.pos += 2;
      from = cursor.pos;
    } else cursor.passCharacter();
  }
  return { value: value + text.slice(from, cursor.pos), isBroken: false };
}

function doubleRun(cursor: TextCursor): Run {
  const { codes, text } = cursor;
  let value = "";
  let from = cursor.pos;
  for (;;) {
    const found = codes[cursor.pos]!;
    if (found === code.doubleQuote || (characters[found]! & blankOrEnd) !== 0) break;
    if (found !== code.backslash) {
      cursor.passCharacter();
      continue;
    }
    value += text.slice(from, cursor.pos);
    if ((characters[codes[cursor.pos + 1]!]! & lineBreak) !== 0) {
      cursor.pos++;
      cursor.passBreak();
      return { value, isBroken: true };
    }
    value += escape(cursor);
    from = cursor.pos;
  }
  return { value: value + text.slice(from, cursor.pos), isBroken: false };
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["0", "\0"],
  ["a", "\x07"],
  ["b", "\b"],
  ["t", "\t"],
  ["\t", "\t"],
  ["n", "\n"],
  ["v", "\v"],
  ["f", "\f"],
  ["r", "\r"],
  ["e", "\x1B"],
  [" ", " "],
  ['"', '"'],
  ["'", "'"],
  ["\\", "\\"],
  ["N", "\x85"],
  ["_", "\xA0"],
  ["L", "\u2028"],
  ["P", "\u2029"],
]);

function escape(cursor: TextCursor): string {
  const letter = cursor.text.charAt(cursor.pos + 1);
  const short = escapes.get(letter);
  if (short !== undefined) {
    cursor.pos += 2;
    return short;
  }
  if (cursor.takesJson && letter === "/") {
    cursor.pos += 2;
    return letter;
  }
  const length = letter === "x" ? 2 : letter === "u" ? 4 : letter === "U" ? 8 : 0;
  if (length === 0) cursor.fail("found unknown escape character");
  cursor.pos += 2;
  return escapedCode(cursor, length);
}

function escapedCode(cursor: TextCursor, length: number): string {
  const { codes, pos, text } = cursor;
  for (let at = pos; at < pos + length; at++)
    if ((characters[codes[at]!]! & hexDigit) === 0) cursor.fail("did not find expected hexdecimal number");
  const value = Number.parseInt(text.slice(pos, pos + length), 16);
  const isHalf = value >= 0xd800 && value <= 0xdfff;
  if ((isHalf && !cursor.takesJson) || value > 0x10_ffff) cursor.fail("found invalid Unicode character escape code");
  cursor.pos += length;
  return String.fromCodePoint(value);
}
