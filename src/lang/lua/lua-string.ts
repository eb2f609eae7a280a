/**
 * Lua strings are bytes. Here they are JavaScript strings with one byte per character (U+0000 to U+00FF), so `#s`, positions and
 * patterns count bytes at no cost. Text is converted from and to UTF-8; ASCII needs no conversion.
 */

const beyondAscii = /[^\0-\x7f]/;
/** Up to this length a loop is faster than a regular expression. */
const short = 32;

/** Encodes text as a Lua string. */
export function encodeLuaString(text: string): string {
  return isAsciiString(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}

/** Decodes a Lua string. Invalid UTF-8 becomes U+FFFD, as in Go's JSON. */
export function decodeLuaString(bytes: string): string {
  return isAsciiString(bytes) ? bytes : Buffer.from(bytes, "latin1").toString("utf8");
}

/** Whether every character is ASCII. */
export function isAsciiString(text: string): boolean {
  if (text.length > short) return !beyondAscii.test(text);
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}
