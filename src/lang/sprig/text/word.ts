import { charge } from "../../../core/cost/index.ts";
import { isAscii } from "../../template/index.ts";
import {
  ascii,
  goCodes,
  isLetterCode,
  isLowerCode,
  isSpaceCode,
  isTitleCode,
  isUpperCode,
  lowerCode,
  mapCodes,
  titleCode,
  upperCode,
} from "./rune.ts";
import { RuneBuilder } from "./rune-builder.ts";

/** A character, as it takes time. */
const costOfCharacter = 8;

export function isConnector(code: number): boolean {
  return code === 0x2d || code === 0x5f || isSpaceCode(code);
}

/** Whether a character is a letter other than a Han character, which is a word by itself. */
export function isAlphabetic(code: number): boolean {
  return isLetterCode(code) && !isHan(code);
}

function isHan(code: number): boolean {
  return (code >= 0x3400 && code <= 0x4d85) || (code >= 0x4e00 && code <= 0x9fcc) || (code >= 0x20000 && code <= 0x2b81d);
}

/** Where characters end that belong together. */
export function endOf(codes: Uint32Array, from: number, belongs: (code: number) => boolean): number {
  let end = from;
  while (end < codes.length && belongs(codes[end]!)) end++;
  return end;
}

/** Converts to `PascalCase`. Leading and doubled connectors stay. */
export function pascalCase(text: string): string {
  charge(costOfCharacter * text.length);
  if (isAscii(text)) return asciiPascalCase(text);
  const codes = goCodes(text);
  const out = new RuneBuilder(text.length);
  const start = endOf(codes, 0, isConnector);
  for (let at = 0; at < start; at++) out.add(codes[at]!);
  if (start === codes.length) {
    // Models xstrings: text of connectors only gets its last one doubled.
    if (start > 0) out.add(codes[start - 1]!);
    return out.text();
  }
  let current = upperCode(codes[start]!);
  let startedUpper = isUpperCode(codes[start]!);
  for (let at = start + 1; at < codes.length; at++) {
    const previous = current;
    current = codes[at]!;
    if (isConnector(current) && isConnector(previous)) out.add(previous);
    else if (isConnector(previous)) {
      startedUpper = isUpperCode(current);
      current = upperCode(current);
    } else {
      if (startedUpper && isUpperCode(current)) current = lowerCode(current);
      else startedUpper = false;
      out.add(previous);
    }
  }
  out.add(current);
  return out.text();
}

const { toLower, toUpper, upper, spaces } = ascii;
const connectors = Uint8Array.from({ length: 128 }, (_, code) => Number(isConnector(code)));
const swapped = Uint8Array.from({ length: 128 }, (_, code) => (upper[code] === 1 ? toLower[code]! : toUpper[code]!));

function asciiPascalCase(text: string): string {
  const bytes = Buffer.from(text, "latin1");
  let start = 0;
  while (start < bytes.length && connectors[bytes[start]!] === 1) start++;
  if (start === bytes.length) return text + text.slice(-1);
  // What is written is never ahead of what is read.
  let length = start;
  let current = toUpper[bytes[start]!]!;
  let startedUpper = upper[bytes[start]!]!;
  for (let at = start + 1; at < bytes.length; at++) {
    const previous = current;
    current = bytes[at]!;
    if (connectors[previous] === 1) {
      if (connectors[current] === 1) bytes[length++] = previous;
      else {
        startedUpper = upper[current]!;
        current = toUpper[current]!;
      }
    } else {
      if (startedUpper === 1 && upper[current] === 1) current = toLower[current]!;
      else startedUpper = 0;
      bytes[length++] = previous;
    }
  }
  bytes[length++] = current;
  return bytes.toString("latin1", 0, length);
}

/** Lowercases the first letter of every word. */
export function untitled(text: string): string {
  charge(costOfCharacter * text.length);
  if (isAscii(text)) return asciiUntitled(text);
  let starts = true;
  return mapCodes(text, (code) => {
    if (isSpaceCode(code)) starts = true;
    else if (starts) {
      starts = false;
      return lowerCode(code);
    }
    return code;
  });
}

function asciiUntitled(text: string): string {
  const bytes = Buffer.from(text, "latin1");
  let starts = 1;
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at]!;
    if (starts === 1) bytes[at] = toLower[code]!;
    starts = spaces[code]!;
  }
  return bytes.toString("latin1");
}

/** Swaps upper and lower case. */
export function swappedCase(text: string): string {
  charge(costOfCharacter * text.length);
  if (isAscii(text)) return asciiSwappedCase(text);
  let starts = true;
  return mapCodes(text, (code) => {
    if (isUpperCode(code) || isTitleCode(code)) {
      starts = false;
      return lowerCode(code);
    }
    if (!isLowerCode(code)) {
      starts = isSpaceCode(code);
      return code;
    }
    const swapped = starts ? titleCode(code) : upperCode(code);
    starts = false;
    return swapped;
  });
}

function asciiSwappedCase(text: string): string {
  const bytes = Buffer.from(text, "latin1");
  for (let at = 0; at < bytes.length; at++) bytes[at] = swapped[bytes[at]!]!;
  return bytes.toString("latin1");
}
