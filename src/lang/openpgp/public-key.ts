import { createHash, createPublicKey, verify, type KeyObject } from "node:crypto";
import { encodeBitString, encodeInteger, encodeOid, encodeSequence } from "../der/index.ts";
import { ByteReader, OpenPgpError } from "./packet.ts";

/** A public key of version 4. */
export type PublicKey = {
  /** The content of its packet, without what is secret: it is part of what certifies the key. */
  readonly body: Buffer;
  readonly fingerprint: string;
  readonly createdAt: number;
  readonly verify: (hash: SignatureHash, data: Buffer, signature: ByteReader) => boolean;
};

export type SignatureHash = "sha1" | "sha224" | "sha256" | "sha384" | "sha512";
type Check = PublicKey["verify"];

/** A key of a public or a secret key packet; undefined: of a version or kind that is not known here. RFC 9580, 5.5.2 */
export function readPublicKey(packet: Buffer): PublicKey | undefined {
  const reader = new ByteReader(packet);
  if (reader.number(1) !== 4) return undefined;
  const createdAt = reader.number(4);
  const check = checkFor(reader.number(1), reader);
  if (check === undefined) return undefined;
  const body = reader.consumed;
  const fingerprint = createHash("sha1").update(keyPrefix(body)).update(body).digest("hex").toUpperCase();
  return { body, fingerprint, createdAt, verify: check };
}

/** What is hashed before the content of a key. */
export function keyPrefix(body: Buffer): Buffer {
  return Buffer.from([0x99, body.length >> 8, body.length & 0xff]);
}

function checkFor(algorithm: number, reader: ByteReader): Check | undefined {
  switch (algorithm) {
    case 1:
    case 3:
      return rsa(reader.integer(), reader.integer());
    case 17:
      return dsa(reader.integer(), reader.integer(), reader.integer(), reader.integer());
    case 19:
      return ecdsa(reader.take(reader.number(1)), reader.integer());
    case 22: {
      const curve = reader.take(reader.number(1)).toString("hex");
      const point = reader.integer();
      return curve === "2b06010401da470f01" && point.length === 33 ? ed25519(point.subarray(1), pairOf) : undefined;
    }
    case 27:
      return ed25519(reader.take(32), (signature) => signature.take(64));
    // Keys that only encrypt: their content must be read, since a signing key may follow. Its kind does not matter.
    default:
      return undefined;
  }
}

function rsa(n: Buffer, e: Buffer): Check {
  const key = createPublicKey({ key: { kty: "RSA", n: n.toString("base64url"), e: e.toString("base64url") }, format: "jwk" });
  return (hash, data, signature) => verify(hash, data, key, padded(signature.integer(), n.length));
}

function ecdsa(oid: Buffer, point: Buffer): Check | undefined {
  const curve = curves[oid.toString("hex")];
  if (curve === undefined || point.length !== 1 + 2 * curve.bytes || point[0] !== 4) return undefined;
  const [x, y] = [point.subarray(1, 1 + curve.bytes), point.subarray(1 + curve.bytes)].map((each) => each.toString("base64url"));
  const key = createPublicKey({ key: { kty: "EC", crv: curve.name, x: x!, y: y! }, format: "jwk" });
  return (hash, data, signature) => verify(hash, data, { key, dsaEncoding: "ieee-p1363" }, pairOf(signature, curve.bytes));
}

const curves: Readonly<Record<string, { readonly name: string; readonly bytes: number }>> = {
  "2a8648ce3d030107": { name: "P-256", bytes: 32 },
  "2b81040022": { name: "P-384", bytes: 48 },
  "2b81040023": { name: "P-521", bytes: 66 },
};

/** Ed25519 signs the hash, not the text. */
function ed25519(x: Buffer, signatureIn: (signature: ByteReader) => Buffer): Check {
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: x.toString("base64url") }, format: "jwk" });
  return (hash, data, signature) => verify(null, createHash(hash).update(data).digest(), key, signatureIn(signature));
}

function dsa(p: Buffer, q: Buffer, g: Buffer, y: Buffer): Check {
  const parameters = encodeSequence(...[p, q, g].map((each) => encodeInteger(each)));
  const info = encodeSequence(encodeSequence(encodeOid("1.2.840.10040.4.1"), parameters), encodeBitString(encodeInteger(y)));
  const key: KeyObject = createPublicKey({ key: info, format: "der", type: "spki" });
  return (hash, data, signature) => verify(hash, data, { key, dsaEncoding: "ieee-p1363" }, pairOf(signature, q.length));
}

/** The two integers of a signature, as long as the key has them. */
function pairOf(signature: ByteReader, length = 32): Buffer {
  return Buffer.concat([padded(signature.integer(), length), padded(signature.integer(), length)]);
}

function padded(integerBytes: Buffer, length: number): Buffer {
  if (integerBytes.length > length) throw new OpenPgpError("a signature is longer than its key");
  return Buffer.concat([Buffer.alloc(length - integerBytes.length), integerBytes]);
}
