/** Each function answers one complete tag-length-value. */

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
};

/** Tag, length, and the parts one after the other as value. */
export function tagged(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthBytes(value.length), value]);
}

function lengthBytes(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = bigEndian(length);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

function bigEndian(value: number): number[] {
  return value < 256 ? [value] : [...bigEndian(Math.floor(value / 256)), value % 256];
}

export function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tagged(tags.sequence, ...parts);
}

export function set(...parts: readonly Uint8Array[]): Buffer {
  return tagged(tags.set, ...parts);
}

/** A positive integer by its bytes: without leading zeros, but for one where the first bit would mean minus. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const shortest = first < 0 ? Uint8Array.of(0) : bytes.subarray(first);
  return tagged(tags.integer, Uint8Array.from(shortest[0]! & 0x80 ? [0] : []), shortest);
}

export function boolean(value: boolean): Buffer {
  return tagged(tags.boolean, Uint8Array.of(value ? 0xff : 0));
}

export function octetString(bytes: Uint8Array): Buffer {
  return tagged(tags.octetString, bytes);
}

/** `unusedBits` of the last byte do not count. */
export function bitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return tagged(tags.bitString, Uint8Array.of(unusedBits), bytes);
}

export function utf8String(text: string): Buffer {
  return tagged(tags.utf8String, Buffer.from(text, "utf8"));
}

export function printableString(text: string): Buffer {
  return tagged(tags.printableString, Buffer.from(text, "ascii"));
}

/** An object identifier from its dotted form. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return tagged(tags.oid, Buffer.from([first * 40 + second, ...rest.flatMap(sevenBits)]));
}

function sevenBits(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let left = value >>> 7; left > 0; left >>>= 7) bytes.unshift(0x80 | (left & 0x7f));
  return bytes;
}

/** RFC 5280 wants two-digit years up to 2049, and four digits from then on. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d+/g, "");
  const isShort = date.getUTCFullYear() >= 1950 && date.getUTCFullYear() < 2050;
  return isShort ? tagged(tags.utcTime, Buffer.from(digits.slice(2), "ascii")) : tagged(tags.generalizedTime, Buffer.from(digits, "ascii"));
}
