import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { derChildren, derContents, firstPem, encodeInteger, pemText, encodeSequence } from "../../der/index.ts";

/** A private key in Sprig's PEM form. DSA keys can be generated and parsed, but cannot sign certificates. */
export type PrivateKey = { readonly pem: string; readonly key: KeyObject; readonly canSign: boolean };

export function newRsaKey(bits: 2048 | 4096): PrivateKey {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: bits });
  return asWritten(privateKey);
}

/** The PEM of a new key of a type, or the error text for an unknown type. */
export function newKeyPem(type: string): string {
  switch (type) {
    case "":
    case "rsa":
      return newRsaKey(4096).pem;
    case "dsa":
      return dsaPem(generateKeyPairSync("dsa", { modulusLength: 2048, divisorLength: 256 }).privateKey);
    case "ecdsa":
      return asWritten(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey).pem;
    case "ed25519":
      return asWritten(generateKeyPairSync("ed25519").privateKey).pem;
    default:
      return `Unknown type ${type}`;
  }
}

/** RSA keys are PKCS #1, EC keys SEC 1, all others PKCS #8. */
function asWritten(key: KeyObject): PrivateKey {
  const type = key.asymmetricKeyType === "rsa" ? "pkcs1" : key.asymmetricKeyType === "ec" ? "sec1" : "pkcs8";
  return { pem: key.export({ type, format: "pem" }).toString(), key, canSign: key.asymmetricKeyType !== "dsa" };
}

/** OpenSSL's form of DSA keys: 0, p, q, g, y, x. */
function dsaPem(privateKey: KeyObject): string {
  // PKCS #8 holds version, (algorithm, parameters), key. The parameters are p, q and g.
  const [, algorithm, secret] = derChildren(privateKey.export({ type: "pkcs8", format: "der" }));
  const parameters = derChildren(algorithm!)[1]!;
  const [, published] = derChildren(createPublicKey(privateKey).export({ type: "spki", format: "der" }));
  // A bit string begins with the number of unused bits.
  const y = derContents(published!).subarray(1);
  const x = derContents(secret!);
  const version = encodeInteger(Uint8Array.of(0));
  return pemText({ label: "DSA PRIVATE KEY", bytes: encodeSequence(version, ...derChildren(parameters), y, x) });
}

/** Parses a private key. Throws with Sprig's messages. */
export function parsePrivateKey(text: string): PrivateKey {
  const block = firstPem(text);
  if (block === undefined) throw new Error("no PEM data in input");
  if (block.label === "PRIVATE KEY") return asWritten(readKey(block.bytes, "pkcs8", "decoding PEM as PKCS#8"));
  if (!block.label.endsWith(" PRIVATE KEY")) throw new Error(`no private key data in PEM block of type ${block.label}`);
  switch (block.label) {
    case "RSA PRIVATE KEY":
      return asWritten(readKey(block.bytes, "pkcs1", "parsing RSA private key from PEM"));
    case "EC PRIVATE KEY":
      return asWritten(readKey(block.bytes, "sec1", "parsing EC private key from PEM"));
    case "DSA PRIVATE KEY":
      return { pem: pemText(block), key: readDsaKey(text), canSign: false };
    default:
      throw new Error(`invalid private key type ${block.label}`);
  }
}

function readKey(bytes: Buffer, type: "pkcs1" | "pkcs8" | "sec1", doing: string): KeyObject {
  try {
    return createPrivateKey({ key: bytes, format: "der", type });
  } catch (cause) {
    throw new Error(`${doing}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

function readDsaKey(text: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch (cause) {
    throw new Error(`parsing DSA private key from PEM: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
