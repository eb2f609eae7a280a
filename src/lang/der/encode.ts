/** Each function returns one complete tag-length-value. */

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

/** Tag, length, and the concatenated parts as contents. */
export function encodeTagged(tag: number, ...parts: readonly Uint8Array[]): Buffer {
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

export function encodeSequence(...parts: readonly Uint8Array[]): Buffer {
  return encodeTagged(tags.sequence, ...parts);
}

export function encodeSet(...parts: readonly Uint8Array[]): Buffer {
  return encodeTagged(tags.set, ...parts);
}

/** A non-negative integer in big-endian bytes. It gets a leading zero where the first bit would otherwise be a sign. */
export function encodeInteger(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const shortest = first < 0 ? Uint8Array.of(0) : bytes.subarray(first);
  return encodeTagged(tags.integer, Uint8Array.from(shortest[0]! & 0x80 ? [0] : []), shortest);
}

export function encodeBoolean(value: boolean): Buffer {
  return encodeTagged(tags.boolean, Uint8Array.of(value ? 0xff : 0));
}

export function encodeOctetString(bytes: Uint8Array): Buffer {
  return encodeTagged(tags.octetString, bytes);
}

/** The last byte has `unusedBits` unused bits. */
export function encodeBitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return encodeTagged(tags.bitString, Uint8Array.of(unusedBits), bytes);
}

export function encodeUtf8String(text: string): Buffer {
  return encodeTagged(tags.utf8String, Buffer.from(text, "utf8"));
}

export function encodePrintableString(text: string): Buffer {
  return encodeTagged(tags.printableString, Buffer.from(text, "ascii"));
}

/** An object identifier from its dotted form. */
export function encodeOid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return encodeTagged(tags.oid, Buffer.from([first * 40 + second, ...rest.flatMap(sevenBits)]));
}

function sevenBits(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let left = value >>> 7; left > 0; left >>>= 7) bytes.unshift(0x80 | (left & 0x7f));
  return bytes;
}

/** RFC 5280: UTCTime up to 2049, GeneralizedTime from then on. */
export function encodeTime(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d+/g, "");
  const isShort = date.getUTCFullYear() >= 1950 && date.getUTCFullYear() < 2050;
  return isShort
    ? encodeTagged(tags.utcTime, Buffer.from(digits.slice(2), "ascii"))
    : encodeTagged(tags.generalizedTime, Buffer.from(digits, "ascii"));
}
