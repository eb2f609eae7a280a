import { blank, blankOrEnd, characters, code, hexDigit, lineBreak, textEnd, uriCharacter, wordCharacter } from "./character.ts";
import type { TextCursor } from "./text-cursor.ts";

/** A tag as written: `!!str` has the handle `!!` and the suffix `str`. With an empty handle the suffix is the whole tag. */
export type Tag = { readonly handle: string; readonly suffix: string };

/** A directive before `---`. */
export type Directive = { readonly version: readonly [number, number] } | { readonly tag: Tag };

/** Models yaml_parser_scan_anchor of go.yaml.in/yaml/v2 scannerc.go. The other functions model the same file. */
export function scanAnchor(cursor: TextCursor): string {
  cursor.pos++;
  const name = word(cursor);
  const after = cursor.text.charAt(cursor.pos);
  if (name === "" || !(isBlankOrEnd(cursor) || "?:,]}%@`".includes(after)))
    cursor.fail("did not find expected alphabetic or numeric character");
  return name;
}

export function scanTag(cursor: TextCursor): Tag {
  const tag = cursor.text.charAt(cursor.pos + 1) === "<" ? verbatim(cursor) : shorthand(cursor);
  if (!isBlankOrEnd(cursor)) cursor.fail("did not find expected whitespace or line break");
  return tag;
}

function verbatim(cursor: TextCursor): Tag {
  cursor.pos += 2;
  const suffix = uri(cursor, "");
  if (cursor.codes[cursor.pos] !== code.greater) cursor.fail("did not find the expected '>'");
  cursor.pos++;
  return { handle: "", suffix };
}

function shorthand(cursor: TextCursor): Tag {
  const handle = handleAt(cursor, false);
  if (handle.length > 1 && handle.endsWith("!")) return { handle, suffix: uri(cursor, "") };
  const suffix = uri(cursor, handle);
  return suffix === "" ? { handle: "", suffix: handle } : { handle: "!", suffix };
}

function handleAt(cursor: TextCursor, isDirective: boolean): string {
  const from = cursor.pos;
  if (cursor.codes[from] !== code.bang) cursor.fail("did not find expected '!'");
  cursor.pos++;
  word(cursor);
  if (cursor.codes[cursor.pos] === code.bang) cursor.pos++;
  else if (isDirective && cursor.pos > from + 1) cursor.fail("did not find expected '!'");
  return cursor.text.slice(from, cursor.pos);
}

/** Scans the rest of a tag. `head` is the part that was scanned, with its `!`. */
function uri(cursor: TextCursor, head: string): string {
  const { codes, text } = cursor;
  const from = cursor.pos;
  let value = head.slice(1);
  while ((characters[codes[cursor.pos]!]! & uriCharacter) !== 0)
    value += codes[cursor.pos] === code.percent ? escapedCharacter(cursor) : text.charAt(cursor.pos++);
  if (head === "" && cursor.pos === from) cursor.fail("did not find expected tag URI");
  return value;
}

/** Decodes one character from its percent-encoded bytes. */
function escapedCharacter(cursor: TextCursor): string {
  const first = octet(cursor);
  const width = first < 0x80 ? 1 : (first & 0xe0) === 0xc0 ? 2 : (first & 0xf0) === 0xe0 ? 3 : (first & 0xf8) === 0xf0 ? 4 : 0;
  if (width === 0) cursor.fail("found an incorrect leading UTF-8 octet");
  const bytes = [first];
  cursor.pos += 3;
  while (bytes.length < width) {
    const next = octet(cursor);
    if ((next & 0xc0) !== 0x80) cursor.fail("found an incorrect trailing UTF-8 octet");
    bytes.push(next);
    cursor.pos += 3;
  }
  return Buffer.from(bytes).toString();
}

function octet(cursor: TextCursor): number {
  const { codes, pos, text } = cursor;
  const isEscape =
    codes[pos] === code.percent && (characters[codes[pos + 1]!]! & hexDigit) !== 0 && (characters[codes[pos + 2]!]! & hexDigit) !== 0;
  if (!isEscape) cursor.fail("did not find URI escaped octet");
  return Number.parseInt(text.slice(pos + 1, pos + 3), 16);
}

/** Scans a `%YAML` or `%TAG` line. */
export function scanDirective(cursor: TextCursor): Directive {
  cursor.pos++;
  const name = word(cursor);
  if (name === "") cursor.fail("could not find expected directive name");
  if (!isBlankOrEnd(cursor)) cursor.fail("found unexpected non-alphabetical character");
  if (name !== "YAML" && name !== "TAG") cursor.fail("found unknown directive name");
  const directive = name === "YAML" ? versionAt(cursor) : tagAt(cursor);
  passBlanks(cursor);
  if (cursor.codes[cursor.pos] === code.hash) cursor.passLine();
  const kind = characters[cursor.codes[cursor.pos]!]!;
  if ((kind & (lineBreak | textEnd)) === 0) cursor.fail("did not find expected comment or line break");
  if ((kind & lineBreak) !== 0) cursor.passBreak();
  return directive;
}

function versionAt(cursor: TextCursor): Directive {
  passBlanks(cursor);
  const major = numberAt(cursor);
  if (cursor.codes[cursor.pos] !== code.dot) cursor.fail("did not find expected digit or '.' character");
  cursor.pos++;
  return { version: [major, numberAt(cursor)] };
}

function numberAt(cursor: TextCursor): number {
  let value = 0;
  let length = 0;
  for (;;) {
    const found = cursor.codes[cursor.pos]!;
    if (found < code.zero || found > code.nine) break;
    if (++length > 2) cursor.fail("found extremely long version number");
    value = value * 10 + found - code.zero;
    cursor.pos++;
  }
  if (length === 0) cursor.fail("did not find expected version number");
  return value;
}

function tagAt(cursor: TextCursor): Directive {
  passBlanks(cursor);
  const handle = handleAt(cursor, true);
  if ((characters[cursor.codes[cursor.pos]!]! & blank) === 0) cursor.fail("did not find expected whitespace");
  passBlanks(cursor);
  const suffix = uri(cursor, "");
  if (!isBlankOrEnd(cursor)) cursor.fail("did not find expected whitespace or line break");
  return { tag: { handle, suffix } };
}

function word(cursor: TextCursor): string {
  const from = cursor.pos;
  while ((characters[cursor.codes[cursor.pos]!]! & wordCharacter) !== 0) cursor.pos++;
  return cursor.text.slice(from, cursor.pos);
}

function passBlanks(cursor: TextCursor): void {
  while ((characters[cursor.codes[cursor.pos]!]! & blank) !== 0) cursor.pos++;
}

function isBlankOrEnd(cursor: TextCursor): boolean {
  return (characters[cursor.codes[cursor.pos]!]! & blankOrEnd) !== 0;
}
