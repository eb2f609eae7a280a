import { OpenPgpError, readArmor, readPackets, type Packet } from "./packet.ts";
import { keyPrefix, readPublicKey, type PublicKey } from "./public-key.ts";
import { isSignedBy, readSignature, signatureTypes, type Signature } from "./signature.ts";

/** A key that may sign texts, and whose it is. `problem` says why it may not. */
export type SigningKey = {
  readonly key: PublicKey;
  readonly userIds: readonly string[];
  readonly problem: (nowMs: number) => string | undefined;
};

export type Keyring = readonly SigningKey[];

const tags = { signature: 2, secretKey: 5, publicKey: 6, secretSubkey: 7, userId: 13, subkey: 14 } as const;
const signs = 0x02;

/** Reads exported keys, binary or armored. What is secret in them is not looked at. Throws OpenPgpError. */
export function readKeyring(content: Uint8Array): Keyring {
  const bytes = Buffer.from(content);
  if (bytes.subarray(8, 12).toString("latin1") === "KBXf")
    throw new OpenPgpError("it is a keybox of GnuPG: export its keys with gpg --export > pubring.gpg, and name that file");
  const text = bytes[0] !== undefined && bytes[0] < 0x80 ? bytes.toString("utf8") : "";
  const binary = text === "" ? bytes : (readArmor(text, "PUBLIC KEY BLOCK") ?? readArmor(text, "PRIVATE KEY BLOCK"));
  if (binary === undefined) throw new OpenPgpError("it has no OpenPGP keys: export them with gpg --export");
  return certificatesIn(readPackets(binary)).flatMap(signingKeysOf);
}

/** A packet with the signatures that follow it. */
type Certified = { readonly tag: number; readonly body: Buffer; readonly signatures: readonly Signature[] };

/** The packets of each primary key. */
function certificatesIn(packets: readonly Packet[]): readonly (readonly Certified[])[] {
  const certificates: { tag: number; body: Buffer; signatures: Signature[] }[][] = [];
  for (const { tag, body } of packets) {
    if (tag === tags.publicKey || tag === tags.secretKey) certificates.push([{ tag, body, signatures: [] }]);
    else if (tag === tags.signature)
      certificates
        .at(-1)
        ?.at(-1)
        ?.signatures.push(...[readSignature(body)].flatMap((each) => each ?? []));
    else certificates.at(-1)?.push({ tag, body, signatures: [] });
  }
  return certificates;
}

function signingKeysOf([head, ...parts]: readonly Certified[]): readonly SigningKey[] {
  const primary = head && readPublicKey(head.body);
  if (head === undefined || primary === undefined) return [];
  const own = keyData(primary);
  const holds = (signature: Signature, data: Buffer) => isSignedBy(primary, signature, data, { allowsSha1: true });
  const users = parts.filter(({ tag }) => tag === tags.userId);
  const userIds = users.map(({ body }) => body.toString("utf8"));
  const certifications = users.flatMap(({ body, signatures }) =>
    signatures
      .filter(({ type }) => signatureTypes.certifications.some((each) => each === type))
      .filter((each) => holds(each, userData(own, body))),
  );
  const direct = head.signatures.filter((each) => each.type === signatureTypes.directKey && holds(each, own));
  const isRevoked = head.signatures.some((each) => each.type === signatureTypes.keyRevocation && holds(each, own));
  const statement = latest([...certifications, ...direct]);
  const ofPrimary = (nowMs: number) => (isRevoked ? "its key is revoked" : usability(primary, statement, nowMs));
  const subkeys = parts.flatMap(({ tag, body, signatures }): readonly SigningKey[] => {
    const key = tag === tags.subkey || tag === tags.secretSubkey ? readPublicKey(body) : undefined;
    if (key === undefined) return [];
    const both = Buffer.concat([own, keyData(key)]);
    const bindings = signatures.filter((each) => each.type === signatureTypes.subkeyBinding && holds(each, both));
    const isWithdrawn = signatures.some((each) => each.type === signatureTypes.subkeyRevocation && holds(each, both));
    const binding = latest(bindings);
    const isMutual = isBoundBy(key, binding, both);
    // A subkey is worth as much as the key that it belongs to.
    const problem = (nowMs: number) =>
      isWithdrawn ? "its key is revoked" : (notWholly(ofPrimary(nowMs)) ?? usability(key, isMutual ? binding : undefined, nowMs));
    return [{ key, userIds, problem }];
  });
  return [{ key: primary, userIds, problem: ofPrimary }, ...subkeys];
}

/** A primary key that does not sign texts itself may have subkeys that do. */
function notWholly(problem: string | undefined): string | undefined {
  return problem === notForSigning ? undefined : problem;
}

const notForSigning = "its key is not for signing";

/** A key that signs says by a signature of its own that it belongs to the primary key. */
function isBoundBy(key: PublicKey, binding: Signature | undefined, data: Buffer): boolean {
  const { embedded } = binding ?? {};
  return embedded?.type === signatureTypes.primaryBinding && isSignedBy(key, embedded, data, { allowsSha1: true });
}

/** Why a key cannot sign now, by the latest statement of its owner about it. */
function usability(key: PublicKey, statement: Signature | undefined, nowMs: number): string | undefined {
  if (statement === undefined) return "nobody vouches for its key";
  const { keyExpiresAfter, keyFlags } = statement;
  if (keyExpiresAfter > 0 && (key.createdAt + keyExpiresAfter) * 1000 <= nowMs) return "its key has expired";
  return keyFlags !== undefined && (keyFlags & signs) === 0 ? notForSigning : undefined;
}

function latest(signatures: readonly Signature[]): Signature | undefined {
  return signatures.toSorted((one, other) => (other.createdAt ?? 0) - (one.createdAt ?? 0))[0];
}

function keyData({ body }: PublicKey): Buffer {
  return Buffer.concat([keyPrefix(body), body]);
}

function userData(own: Buffer, id: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(id.length);
  return Buffer.concat([own, Buffer.from([0xb4]), length, id]);
}
