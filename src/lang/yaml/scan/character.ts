/** Character classes as bits, by code. Models go.yaml.in/yaml/v2 yamlprivateh.go. */
export const characters = new Uint16Array(0x100);

/** Space and tab. */
export const blank = 1;
/** The line breaks of YAML 1.1. */
export const lineBreak = 2;
/** The end of the text, which the scanner pads with NUL. */
export const textEnd = 4;
export const blankOrEnd = blank | lineBreak | textEnd;
/** The characters that end a plain scalar in a flow collection. */
export const flowStop = 8;
export const colon = 16;
/** A high surrogate. The pair counts as one column. */
export const highSurrogate = 32;
export const singleQuote = 64;
/** A double quote or a backslash. */
export const doubleQuote = 128;
/** ASCII letters, digits, `_` and `-`. */
export const wordCharacter = 256;
export const hexDigit = 512;
export const uriCharacter = 1024;

mark(" \t", blank);
mark("\n\r\x81\x82\x85", lineBreak);
mark("\0", textEnd);
mark(",?[]{}", flowStop);
mark(":", colon);
mark("'", singleQuote);
mark('"\\', doubleQuote);
mark("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-", wordCharacter | uriCharacter);
mark("0123456789ABCDEFabcdef", hexDigit);
mark(";/?:@&=+$,.!~*'()[]%", uriCharacter);
mark("\x83", highSurrogate);

function mark(set: string, bits: number): void {
  for (const character of set) {
    const code = character.charCodeAt(0);
    characters[code] = characters[code]! | bits;
  }
}

/** Codes of the significant characters. Characters beyond ASCII have their own code or `other`. */
export const code = {
  tab: 0x09,
  newline: 0x0a,
  return: 0x0d,
  space: 0x20,
  bang: 0x21,
  doubleQuote: 0x22,
  hash: 0x23,
  percent: 0x25,
  ampersand: 0x26,
  quote: 0x27,
  star: 0x2a,
  plus: 0x2b,
  comma: 0x2c,
  minus: 0x2d,
  dot: 0x2e,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  greater: 0x3e,
  question: 0x3f,
  at: 0x40,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  backtick: 0x60,
  openBrace: 0x7b,
  pipe: 0x7c,
  closeBrace: 0x7d,
  other: 0x80,
  lineSeparator: 0x81,
  paragraphSeparator: 0x82,
  highSurrogate: 0x83,
  nextLine: 0x85,
} as const;

/** Zeros after the text, so that the scanner can look ahead without bounds checks. */
const padding = 16;

/**
 * One byte per UTF-16 unit, which suffices for the scanner and is several times faster to read than the string. The length is a
 * multiple of eight.
 */
export type Codes = {
  readonly bytes: Buffer;
  /** The same, eight at a time. */
  readonly words: Float64Array;
};

/** A shared buffer: allocating one per text would cost nearly as much as parsing it. */
const shared = allocateCodes(2 ** 20);
let isTaken = false;

/** The codes of a text. The caller returns them with `releaseCodes` and must not read them afterwards. */
export function codesOf(text: string, isSimple: boolean): Codes {
  const codes = isTaken || text.length + padding > shared.bytes.length ? allocateCodes(text.length + padding) : shared;
  if (codes === shared) isTaken = true;
  codes.bytes.write(text, "latin1");
  if (!isSimple)
    for (const { index, 0: found } of text.matchAll(/[^\0-\x7F]+/g))
      for (let at = index; at < index + found.length; at++) codes.bytes[at] = codeOf(text.charCodeAt(at));
  codes.bytes.fill(0, text.length, text.length + padding);
  return codes;
}

/** Optional: without it the next text only needs a new buffer. */
export function releaseCodes(codes: Codes): void {
  if (codes === shared) isTaken = false;
}

function allocateCodes(length: number): Codes {
  const buffer = new ArrayBuffer((length + 7) & ~7);
  return { bytes: Buffer.from(buffer), words: new Float64Array(buffer) };
}

/** The code of a character beyond ASCII. */
function codeOf(unit: number): number {
  if (unit === 0x85) return code.nextLine;
  if (unit === 0x2028) return code.lineSeparator;
  if (unit === 0x2029) return code.paragraphSeparator;
  return (unit & 0xfc00) === 0xd800 ? code.highSurrogate : code.other;
}

/** Eight spaces as one 8-byte number. */
const eightSpaces = new Float64Array(new Uint8Array(8).fill(code.space).buffer)[0]!;

/** The index of the first character that is not a space. Most of a file is indentation. */
export function afterSpaces(codes: Uint8Array, words: Float64Array, from: number): number {
  let at = from;
  for (;;) {
    if ((at & 7) === 0) while (words[at >> 3] === eightSpaces) at += 8;
    if (codes[at] !== code.space) return at;
    at++;
  }
}
