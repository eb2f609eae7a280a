import { charge } from "../../../core/cost/index.ts";
import { byteLength, fromBytes, isAscii, sliceBytes, toBytes } from "../../template/index.ts";

/** Abbreviates a text to a width in bytes, near an offset, with dots for the omitted parts. Models goutils.AbbreviateFull. */
export function abbreviateText(text: string, offset: number, width: number): string {
  const length = byteLength(text);
  if (length <= width) return text;
  const start = Math.min(offset, length);
  const from = length - start < width - 3 ? length - (width - 3) : start;
  if (from <= 4) return `${sliceBytes(text, 0, width - 3)}...`;
  if (width < 7) return "";
  if (from + width - 3 < length) return `...${abbreviateText(sliceBytes(text, from, length), 0, width - 3)}`;
  return `...${sliceBytes(text, length - (width - 3), length)}`;
}

/** A text that is part of another one. */
const costOfPart = 32;

/** Wraps a line at spaces to a width in bytes. Models goutils.WrapCustom. */
export function wrapText(text: string, width: number, separator: string, breakWords: boolean): string {
  const line = byteText(text);
  const parts: string[] = [];
  let at = 0;
  while (line.length - at > width) {
    if (line[at] === " ") {
      at++;
      continue;
    }
    const space = line.slice(at, at + width + 1).lastIndexOf(" ");
    if (space >= 0) {
      parts.push(line.slice(at, at + space));
      at += space + 1;
    } else if (breakWords) {
      parts.push(line.slice(at, at + width));
      at += width;
    } else {
      const next = line.indexOf(" ", at + width);
      if (next < 0) break;
      parts.push(line.slice(at, next));
      at = next + 1;
    }
  }
  parts.push(line.slice(at));
  charge(parts.length * (costOfPart + separator.length));
  const own = isAscii(text) ? parts : parts.map((part) => fromBytes(Buffer.from(part, "latin1")));
  return own.join(separator);
}

/** The bytes of a text as characters of Latin-1. */
function byteText(text: string): string {
  return isAscii(text) ? text : Buffer.from(toBytes(text)).toString("latin1");
}

/** Removes white space. Models goutils, which treats bytes as characters once there is white space. */
export function withoutSpace(text: string): string {
  const bytes = byteText(text);
  const kept = bytes.replaceAll(/[\t-\r \x85\xa0]+/g, "");
  return kept.length === bytes.length ? text : kept;
}

/** The first byte of every word, as a character. */
export function initialsOf(text: string): string {
  return byteText(text).replaceAll(/[\t-\r \x85\xa0]*([^\t-\r \x85\xa0]?)[^\t-\r \x85\xa0]*/g, "$1");
}
