import { allocate, decodeLuaString, spend } from "../../lang/lua/index.ts";

/** A character of a Lua string: its bytes, its code point, and the offset of its first byte. */
export type Rune = { readonly bytes: string; readonly code: number; readonly at: number };

/** U+FFFD, Go's rune for bytes that are no UTF-8. */
export const replacementRune = 0xfffd;

/** Charges a script for the runes of a text, each of which is an object. */
export function chargeRunes(text: string): void {
  spend(text.length * 2);
  allocate(text.length * 48);
}

/** The runes of a Lua string as Go decodes them: every invalid byte is one rune. */
export function runesOf(text: string): readonly Rune[] {
  const runes: Rune[] = [];
  for (let at = 0; at < text.length;) {
    const bytes = text.slice(at, at + widthAt(text, at));
    runes.push({
      bytes,
      code: bytes.length === 1 && bytes > "\x7f" ? replacementRune : (decodeLuaString(bytes).codePointAt(0) ?? replacementRune),
      at,
    });
    at += bytes.length;
  }
  return runes;
}

const sequence =
  /[\0-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}/y;

function widthAt(text: string, at: number): number {
  sequence.lastIndex = at;
  return sequence.test(text) ? sequence.lastIndex - at : 1;
}

/** Whether a Lua string is valid UTF-8. */
export function isUtf8(text: string): boolean {
  return runesOf(text).every(({ bytes }) => bytes.length > 1 || bytes <= "\x7f");
}

/** The UTF-8 bytes of a code point; those of U+FFFD for an invalid one. */
export function bytesOfRune(code: number): string {
  const isRune = Number.isInteger(code) && code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return Buffer.from(String.fromCodePoint(isRune ? code : replacementRune), "utf8").toString("latin1");
}

/** Maps the case of one code point. One that would become several stays as it is, as in Go. */
export function convertCase(code: number, change: (text: string) => string): number {
  const changed = [...change(String.fromCodePoint(code))];
  return changed.length === 1 ? (changed[0]?.codePointAt(0) ?? code) : code;
}

/** Whether a code point belongs to a Unicode class, as in Go's unicode package. */
export function isOfClass(code: number, pattern: RegExp): boolean {
  return code >= 0 && code <= 0x10ffff && pattern.test(String.fromCodePoint(code));
}

/** Go's unicode.IsSpace. */
export const whitespace = /^[\t\n\v\f\r \u0085\p{Z}]$/u;
