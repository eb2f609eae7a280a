import { fromBytes, toBytes } from "../../template/index.ts";

const alphabet64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const alphabet32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Invalid base32 or base64 input, with the position that Go reports. */
export class CorruptInput extends Error {
  constructor(base: 32 | 64, at: number) {
    super(`illegal base${base} data at input byte ${at}`);
  }
}

export function encode64(text: string): string {
  return Buffer.from(toBytes(text)).toString("base64");
}

/** Decodes base64, ignoring line breaks. Throws CorruptInput. */
export function decode64(text: string): Uint8Array {
  const source = Buffer.from(toBytes(text));
  const complaint = complaintAbout64(source);
  if (complaint !== undefined) throw new CorruptInput(64, complaint);
  return Buffer.from(text, "base64");
}

const values64 = valuesOf(alphabet64);
const values32 = valuesOf(alphabet32);

/** The value of each byte; 255 for what is none. */
function valuesOf(alphabet: string): Uint8Array {
  const values = new Uint8Array(256).fill(255);
  for (const [value, character] of Array.from(alphabet).entries()) values[character.charCodeAt(0)] = value;
  return values;
}

const [lineFeed, carriageReturn, padding] = [10, 13, 61];

/** The position of the first invalid byte. Models encoding/base64. */
function complaintAbout64(source: Uint8Array): number | undefined {
  let filled = 0;
  for (let at = 0; at < source.length; at++) {
    const byte = source[at]!;
    if (byte === lineFeed || byte === carriageReturn) continue;
    if (byte === padding) return filled < 2 ? at : complaintAboutPadding(source, at + 1, filled);
    if (values64[byte] === 255) return at;
    filled = (filled + 1) % 4;
  }
  return filled === 0 ? undefined : source.length - filled;
}

function complaintAboutPadding(source: Uint8Array, start: number, filled: number): number | undefined {
  let at = skipBreaks(source, start);
  if (filled === 2) {
    if (at === source.length) return source.length;
    if (source[at] !== padding) return at - 1;
    at = skipBreaks(source, at + 1);
  }
  return at < source.length ? at : undefined;
}

function skipBreaks(source: Uint8Array, start: number): number {
  let at = start;
  while (source[at] === lineFeed || source[at] === carriageReturn) at++;
  return at;
}

export function encode32(text: string): string {
  const bytes = toBytes(text);
  const out = Buffer.alloc(Math.ceil(bytes.length / 5) * 8, padding);
  let [bits, count, at] = [0, 0, 0];
  for (let index = 0; index < bytes.length; index++) {
    bits = ((bits << 8) | bytes[index]!) & 0xffff;
    for (count += 8; count >= 5; count -= 5) out[at++] = alphabet32.charCodeAt((bits >>> (count - 5)) & 31);
  }
  if (count > 0) out[at] = alphabet32.charCodeAt((bits << (5 - count)) & 31);
  return out.toString("latin1");
}

/** Decodes base32. Throws CorruptInput. */
export function decode32(text: string): string {
  const source = Buffer.from(toBytes(text.replaceAll(/[\r\n]/g, "")));
  const length = payloadLength32(source);
  const out = new Uint8Array(Math.floor((length * 5) / 8));
  let [bits, count, at] = [0, 0, 0];
  for (let index = 0; index < length; index++) {
    bits = ((bits << 5) | values32[source[index]!]!) & 0xfff;
    count += 5;
    if (count >= 8) {
      count -= 8;
      out[at++] = (bits >>> count) & 0xff;
    }
  }
  return fromBytes(out);
}

/** The number of characters before the padding. Models encoding/base32. */
function payloadLength32(source: Uint8Array): number {
  for (let at = 0; at < source.length; at++) {
    const inGroup = at % 8;
    const left = source.length - at - 1;
    if (source[at] === padding && inGroup >= 2 && left < 8) {
      checkPadding32(source, at, inGroup);
      return at;
    }
    if (values32[source[at]!] === 255) throw new CorruptInput(32, at);
  }
  if (source.length % 8 !== 0) throw new CorruptInput(32, source.length - (source.length % 8));
  return source.length;
}

function checkPadding32(source: Uint8Array, at: number, inGroup: number): void {
  const left = source.length - at - 1;
  if (left + inGroup < 7) throw new CorruptInput(32, source.length);
  for (let index = 0; index < 7 - inGroup; index++) {
    if (left > index && source[at + 1 + index] !== padding) throw new CorruptInput(32, at + index);
  }
  if (inGroup === 3 || inGroup === 6) throw new CorruptInput(32, at);
}
