import { ByteReader, longLength, OpenPgpError } from "./packet.ts";
import type { PublicKey, SignatureHash } from "./public-key.ts";

/** A signature of version 4. */
export type Signature = {
  readonly type: number;
  readonly hash: SignatureHash | undefined;
  readonly createdAt: number | undefined;
  /** Seconds after its creation; 0: never. */
  readonly expiresAfter: number;
  /** Of the key that it certifies, in seconds after the key's creation; 0: never. */
  readonly keyExpiresAfter: number;
  /** What the key that it certifies may be used for; undefined: whatever it can. */
  readonly keyFlags: number | undefined;
  /** The fingerprint or the last 16 digits of it. */
  readonly issuer: string | undefined;
  /** The signature by which a key that signs says whose it is. */
  readonly embedded: Signature | undefined;
  /** Whether it says something that must be understood and is not. */
  readonly isUnknown: boolean;
  /** What is hashed after the signed data. */
  readonly trailer: Buffer;
  readonly values: Buffer;
};

export const signatureTypes = {
  binary: 0x00,
  text: 0x01,
  certifications: [0x10, 0x11, 0x12, 0x13],
  subkeyBinding: 0x18,
  primaryBinding: 0x19,
  directKey: 0x1f,
  keyRevocation: 0x20,
  subkeyRevocation: 0x28,
} as const;

const hashes: Readonly<Record<number, SignatureHash>> = { 2: "sha1", 8: "sha256", 9: "sha384", 10: "sha512", 11: "sha224" };
type Subpacket = { readonly type: number; readonly isCritical: boolean; readonly body: Buffer };

/** Subpackets that are understood, or change nothing here. RFC 9580, 5.2.3.7 */
const known = new Set([2, 3, 4, 5, 7, 9, 11, 16, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 32, 33, 34, 35, 39]);

/** Undefined: of another version. */
export function readSignature(packet: Buffer): Signature | undefined {
  const reader = new ByteReader(packet);
  if (reader.number(1) !== 4) return undefined;
  const [type, , hash] = [reader.number(1), reader.number(1), reader.number(1)];
  const hashed = subpacketsIn(reader.take(reader.number(2)));
  const head = reader.consumed;
  const others = subpacketsIn(reader.take(reader.number(2)));
  reader.number(2);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  const all = [...hashed, ...others];
  const numberOf = (wanted: number) => numberIn(hashed.find((each) => each.type === wanted)?.body);
  // Not hashed, these only help to find the key: whether it fits is then seen.
  const whole = all.find((each) => each.type === 33)?.body.subarray(1);
  const short = all.find((each) => each.type === 16)?.body;
  const inner = all.find((each) => each.type === 32)?.body;
  return {
    type,
    hash: hashes[hash],
    createdAt: numberOf(2),
    expiresAfter: numberOf(3) ?? 0,
    keyExpiresAfter: numberOf(9) ?? 0,
    keyFlags: hashed.find((each) => each.type === 27)?.body[0],
    issuer: (whole ?? short)?.toString("hex").toUpperCase(),
    embedded: inner && readSignature(inner),
    isUnknown: hashed.some((each) => each.isCritical && !known.has(each.type)),
    trailer: Buffer.concat([head, Buffer.from([4, 0xff]), length]),
    values: packet.subarray(packet.length - reader.left),
  };
}

function numberIn(body: Buffer | undefined): number | undefined {
  return body?.length === 4 ? body.readUInt32BE() : undefined;
}

function subpacketsIn(bytes: Buffer): readonly Subpacket[] {
  const reader = new ByteReader(bytes);
  const found: Subpacket[] = [];
  while (reader.left > 0) {
    const length = longLength(reader.number(1), reader);
    if (length === 0) throw new OpenPgpError("a signature has an empty part");
    const type = reader.number(1);
    found.push({ type: type & 0x7f, isCritical: (type & 0x80) !== 0, body: reader.take(length - 1) });
  }
  return found;
}

/** Whether a key has made a signature of this data. SHA-1 will do for what certifies keys, and not for what they sign. */
export function isSignedBy(key: PublicKey, signature: Signature, data: Buffer, { allowsSha1 = false } = {}): boolean {
  const { hash, trailer, values, isUnknown, createdAt } = signature;
  if (hash === undefined || (hash === "sha1" && !allowsSha1) || isUnknown || createdAt === undefined) return false;
  if (createdAt < key.createdAt) return false;
  return key.verify(hash, Buffer.concat([data, trailer]), new ByteReader(values));
}
