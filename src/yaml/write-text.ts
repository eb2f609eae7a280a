import { isTimestamp, resolvePlain } from "./scalar.ts";

/** Where a string is written: the column it begins in, the indent of its further lines, and whether it is a simple key. */
export type Place = { readonly column: number; readonly indent: number; readonly isKey: boolean };

/** Lines are folded at the first space after this column. */
const width = 80;

/**
 * A string in the style that go-yaml v2 writes it in, so that it reads back as the same string. Line and paragraph
 * separators are always escaped, and so is a key `<<`, which go-yaml would take for a merge key itself.
 * Models go.yaml.in/yaml/v2 encode.go stringv and emitterc.go.
 */
export function textOf(text: string, place: Place): string {
  const unsafe = /[\u2028\u2029]/.test(text) || !isPrintable(text) || / \n/.test(text);
  if (text.includes("\n")) return unsafe || place.isKey || text.endsWith(" ") ? doubleQuoted(text, place) : literal(text, place);
  if (unsafe || !isPlainString(text) || (place.isKey && text === "<<")) return doubleQuoted(text, place);
  return canBePlain(text) ? folded(text, place, text) : singleQuoted(text, place);
}

/** Tells whether a plain scalar of this text would be read as this string. Base 60 is quoted for readers of YAML 1.1. */
function isPlainString(text: string): boolean {
  return resolvePlain(text) === text && !isTimestamp(text) && !/^[-+]?\d[\d_]*(:[0-5]?\d)+(\.[\d_]*)?$/.test(text);
}

function canBePlain(text: string): boolean {
  if (/^ | $|^---|^\.\.\./.test(text)) return false;
  return !/^[#,[\]{}&*!|>'"%@`]|^[?:-](?:[ \t]|$)|:(?:[ \t]|$)|[ \t]#/.test(text);
}

/** Characters beyond the basic plane count as not printable there, and are escaped. */
function isPrintable(text: string): boolean {
  return /^[\n\x20-\x7E\xA0-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD]*$/.test(text);
}

function singleQuoted(text: string, place: Place): string {
  return `'${folded(text.replaceAll("'", "''"), { ...place, column: place.column + 1 }, text)}'`;
}

/** `shown` with a line break instead of each space that stands beyond the width, if no space stands beside it. */
function folded(shown: string, { column, indent, isKey }: Place, text: string): string {
  if (isKey || column + shown.length <= width) return shown;
  const quoted = shown !== text || !canBePlain(text);
  let out = "";
  let at = column;
  const characters = [...shown];
  for (const [index, character] of characters.entries()) {
    const alone = character === " " && characters[index + 1] !== " " && characters[index - 1] !== " ";
    const inside = !quoted || (index > 0 && index < characters.length - 1);
    if (alone && inside && at > width) {
      out += `\n${" ".repeat(indent)}`;
      at = indent;
    } else {
      out += character;
      at++;
    }
  }
  return out;
}

const escapes: Readonly<Record<string, string>> = {
  "\0": "0",
  "\x07": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  "\x1B": "e",
  '"': '"',
  "\\": "\\",
  "\x85": "N",
  "\u2028": "L",
  "\u2029": "P",
};

function doubleQuoted(text: string, { column, indent, isKey }: Place): string {
  const characters = [...text];
  let out = '"';
  let at = column + 1;
  for (const [index, character] of characters.entries()) {
    let piece = character === " " ? " " : escaped(character);
    const folds = character === " " && characters[index - 1] !== " " && index > 0 && index < characters.length - 1;
    if (folds && !isKey && at > width) {
      // A space at the beginning of a line would be lost, so the next one is escaped.
      piece = `\n${" ".repeat(indent)}${characters[index + 1] === " " ? "\\" : ""}`;
      at = piece.length - 1;
    } else at += piece.length;
    out += piece;
  }
  return `${out}"`;
}

function escaped(character: string): string {
  const short = escapes[character];
  if (short !== undefined) return `\\${short}`;
  if (isPrintable(character)) return character;
  const hex = character.codePointAt(0)!.toString(16).toUpperCase();
  if (hex.length <= 2) return `\\x${hex.padStart(2, "0")}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

function literal(text: string, { indent }: Place): string {
  const hint = /^[ \n]/.test(text) ? "2" : "";
  const chomp = text.endsWith("\n\n") || text === "\n" ? "+" : text.endsWith("\n") ? "" : "-";
  const body = text.endsWith("\n") ? text.slice(0, -1) : text;
  const lines = body.split("\n").map((line) => (line === "" ? "" : " ".repeat(indent) + line));
  return `|${hint}${chomp}\n${lines.join("\n")}`;
}
