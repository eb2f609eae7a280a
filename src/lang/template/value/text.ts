/**
 * Go strings are bytes. Here they are JavaScript strings in which an invalid UTF-8 byte is the lone surrogate U+DC00 + byte
 * (U+DC80 to U+DCFF). Every Go string can be represented, and valid text is unchanged. Output, files and hashes are computed from
 * `toBytes(text)`.
 */

const beyondAscii = /[\u0080-\uffff]/;
const surrogate = /[\ud800-\udfff]/;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Whether every character is one byte, so that byte and character positions agree. */
export function isAscii(text: string): boolean {
  return !beyondAscii.test(text);
}

/** Go's `len(text)`. */
export function byteLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) length += 1;
    else if (unit >= 0xd800 && unit < 0xdc00 && index + 1 < text.length) {
      length += 2;
      index++;
    } else if (unit < 0xdc80 || unit > 0xdcff) length += 2;
  }
  return length;
}

/** The bytes of a Go string. */
export function toBytes(text: string): Uint8Array {
  if (!hasRawByte(text)) return encoder.encode(text);
  const bytes: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    if (point >= 0xdc80 && point <= 0xdcff) bytes.push(point - 0xdc00);
    else bytes.push(...encoder.encode(character));
  }
  return Uint8Array.from(bytes);
}

/** The Go string of these bytes. */
export function fromBytes(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    // Not valid UTF-8: decoded sequence by sequence.
    return fromBrokenBytes(bytes);
  }
}

function fromBrokenBytes(bytes: Uint8Array): string {
  let text = "";
  for (let index = 0; index < bytes.length;) {
    const size = runeSize(bytes, index);
    if (size === 0) text += String.fromCharCode(0xdc00 + (bytes[index++] ?? 0));
    else {
      text += decoder.decode(bytes.subarray(index, index + size));
      index += size;
    }
  }
  return text;
}

/** The length of the valid UTF-8 sequence at `index`; 0 if there is none. */
function runeSize(bytes: Uint8Array, index: number): number {
  const first = bytes[index] ?? 0;
  if (first < 0x80) return 1;
  const size = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? (first < 0xf0 ? 3 : 0) : first >= 0xc2 ? 2 : 0;
  if (size === 0 || index + size > bytes.length) return 0;
  for (let next = 1; next < size; next++) if (((bytes[index + next] ?? 0) & 0xc0) !== 0x80) return 0;
  const second = bytes[index + 1] ?? 0;
  if (first === 0xe0 && second < 0xa0) return 0;
  if (first === 0xed && second > 0x9f) return 0;
  if (first === 0xf0 && second < 0x90) return 0;
  return first === 0xf4 && second > 0x8f ? 0 : size;
}

/** Go's `text[from:to]`, in bytes. The bounds must be within the text. */
export function sliceBytes(text: string, from: number, to: number): string {
  if (isAscii(text)) return text.slice(from, to);
  return fromBytes(toBytes(text).subarray(from, to));
}

/** The byte at a position of the text. */
export function byteAt(text: string, index: number): number {
  if (isAscii(text)) return text.charCodeAt(index);
  return toBytes(text)[index] ?? 0;
}

/** Whether the text has an invalid UTF-8 byte. */
export function hasRawByte(text: string): boolean {
  return surrogate.test(text) && !text.isWellFormed();
}

/** Compares two strings by their bytes, as Go does: negative, 0 or positive. */
export function compareGoStrings(one: string, other: string): number {
  if (one === other) return 0;
  if (surrogate.test(one) || surrogate.test(other)) return compareBytes(toBytes(one), toBytes(other));
  return one < other ? -1 : 1;
}

function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const shared = Math.min(one.length, other.length);
  for (let index = 0; index < shared; index++) {
    const difference = (one[index] ?? 0) - (other[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
