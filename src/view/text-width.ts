import { stripVTControlCharacters } from "node:util";

/** Characters that take two columns. One outside the basic plane is taken to: that cuts a line too early and never too late. */
const wide =
  /[\u1100-\u115F\u231A\u231B\u23E9-\u23F3\u25FD\u25FE\u2600-\u27BF\u2B00-\u2BFF\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/u;

/** How many columns of a terminal a text takes. Colours take none. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text)) width += widthOf(character);
  return width;
}

/** Puts a text on one line without control characters, and ends it with an ellipsis where it is cut. */
export function cutToWidth(text: string, width: number): string {
  const line = plainLine(text);
  if (textWidth(line) <= width) return line;
  let kept = "";
  let left = width - 1;
  for (const character of line) {
    left -= widthOf(character);
    if (left < 0) break;
    kept += character;
  }
  return width < 1 ? "" : `${kept}…`;
}

/** A text on one line, without what would move a cursor, change a colour or turn the direction of writing. */
export function plainLine(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/\s*[\n\r]\s*/g, " ")
    .replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, " ");
}

function widthOf(character: string): number {
  return character.length > 1 || wide.test(character) ? 2 : 1;
}
