/** The little of DER (X.690) that certificates need. Each function answers one complete tag-length-value. */

const tags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
};

/** Tag, length, and the parts one after the other as value. */
export function tagged(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(value.length), value]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = base256(length);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

function base256(value: number): number[] {
  return value < 256 ? [value] : [...base256(Math.floor(value / 256)), value % 256];
}

export function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tagged(tags.sequence, ...parts);
}

export function set(...parts: readonly Uint8Array[]): Buffer {
  return tagged(tags.set, ...parts);
}

/** A positive integer, given by its bytes: leading zeros go, and one comes back where the first bit would mean minus. */
export function integer(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const shortest = bytes.subarray(start);
  return tagged(tags.integer, Buffer.from((shortest[0] ?? 0) & 0x80 ? [0] : []), shortest);
}

export function boolean(value: boolean): Buffer {
  return Buffer.from([0x01, 0x01, value ? 0xff : 0x00]);
}

export function octetString(bytes: Uint8Array): Buffer {
  return tagged(tags.octetString, bytes);
}

/** `unusedBits` of the last byte do not count. */
export function bitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return tagged(tags.bitString, Buffer.from([unusedBits]), bytes);
}

export function utf8String(text: string): Buffer {
  return tagged(tags.utf8String, Buffer.from(text, "utf8"));
}

/** An object identifier from its dotted form. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return tagged(tags.oid, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let left = value >>> 7; left > 0; left >>>= 7) bytes.unshift(0x80 | (left & 0x7f));
  return bytes;
}

/** RFC 5280 wants two-digit years up to 2049, and four digits from then on. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, "");
  if (date.getUTCFullYear() < 2050) return tagged(tags.utcTime, Buffer.from(digits.slice(2), "ascii"));
  return tagged(tags.generalizedTime, Buffer.from(digits, "ascii"));
}
