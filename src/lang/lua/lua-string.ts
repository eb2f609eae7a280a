/**
 * Lua strings are bytes. Here they are JavaScript strings in which every character is one byte (U+0000 to U+00FF), so that
 * `#s`, positions and patterns count bytes at no cost. Text comes in and goes out as UTF-8; plain ASCII is itself.
 */

const beyondAscii = /[^\0-\x7f]/;
/** Up to here it is quicker to look at every character than to ask a regular expression. */
const short = 32;

/** The Lua string of a text. */
export function encodeLuaString(text: string): string {
  return isAsciiString(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}

/** The text of a Lua string. What is not UTF-8 becomes U+FFFD, as in Go's JSON. */
export function decodeLuaString(bytes: string): string {
  return isAsciiString(bytes) ? bytes : Buffer.from(bytes, "latin1").toString("utf8");
}

/** Is every byte of it an ASCII character? */
export function isAsciiString(text: string): boolean {
  if (text.length > short) return !beyondAscii.test(text);
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}
