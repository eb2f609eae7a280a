/**
 * Lua strings are bytes. Here they are JavaScript strings in which every character is one byte (U+0000 to U+00FF), so that
 * `#s`, positions and patterns count bytes at no cost. Text comes in and goes out as UTF-8; plain ASCII is itself.
 */

const beyondAscii = /[^\0-\x7f]/;

/** The Lua string of a text. */
export function bytesOf(text: string): string {
  return beyondAscii.test(text) ? Buffer.from(text, "utf8").toString("latin1") : text;
}

/** The text of a Lua string. What is not UTF-8 becomes U+FFFD, as in Go's JSON. */
export function textOf(bytes: string): string {
  return beyondAscii.test(bytes) ? Buffer.from(bytes, "latin1").toString("utf8") : bytes;
}

/** Is every byte of it an ASCII character? */
export function isAscii(text: string): boolean {
  return !beyondAscii.test(text);
}
