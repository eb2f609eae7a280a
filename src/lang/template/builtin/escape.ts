import { byParts } from "../print/by-parts.ts";
import { toBytes } from "../value/index.ts";
import { isPrintable } from "../print/quote.ts";

const htmlEntities: Readonly<Record<string, string>> = {
  '"': "&#34;",
  "'": "&#39;",
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\0": "\ufffd",
};

/** `html`. */
export function escapeHtml(text: string): string {
  return text.replace(/["'&<>\0]/g, (character) => htmlEntities[character] ?? character);
}

const jsMarks: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "'": "\\'",
  '"': '\\"',
  "<": "\\u003C",
  ">": "\\u003E",
  "&": "\\u0026",
  "=": "\\u003D",
};

/** `js`. */
export function escapeJs(text: string): string {
  return byParts(text, (part) => part.replace(/[\\'"<>&=]|[^ -~]/gu, escapeJsMark));
}

function escapeJsMark(character: string): string {
  return jsMarks[character] ?? escapeJsCharacter(character);
}

function escapeJsCharacter(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  if (point === 0x7f) return character;
  // Go prints an invalid byte as the replacement character and consumes one byte.
  if (point >= 0xdc80 && point <= 0xdcff) return character;
  if (point >= 0x80 && isPrintable(point)) return character;
  return `\\u${point.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** `urlquery`. Models url.QueryEscape. */
export function escapeQuery(text: string): string {
  if (/^[\w.~-]*$/.test(text)) return text;
  let escaped = "";
  for (const byte of toBytes(text)) {
    const character = String.fromCharCode(byte);
    if (/[\w.~-]/.test(character) && byte < 0x80) escaped += character;
    else escaped += character === " " ? "+" : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return escaped;
}
