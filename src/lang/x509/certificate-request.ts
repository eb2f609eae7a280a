import { createPublicKey, verify, type KeyObject } from "node:crypto";
import * as der from "../der/index.ts";

/** A PKCS#10 certificate request. */
export type CertificateRequest = {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** How many subject alternative names it has of each form. */
  readonly alternativeNames: { readonly dns: number; readonly email: number; readonly ip: number; readonly uri: number };
  readonly publicKey: KeyObject;
  /** The encoded subject. */
  readonly subject: Buffer;
  /** The encoded subject alternative names, if it has any. */
  readonly alternativeNamesValue: Buffer | undefined;
  /** Why its signature is wrong; undefined when it is right. */
  readonly signatureError: string | undefined;
};

/** A text that is no certificate request. */
export class CertificateRequestFault extends Error {}

const oids = { commonName: "2.5.4.3", organization: "2.5.4.10", extensionRequest: "1.2.840.113549.1.9.14", alternativeNames: "2.5.29.17" };

const signatureHashes: Readonly<Record<string, string | null>> = {
  "1.2.840.10045.4.3.2": "sha256",
  "1.2.840.10045.4.3.3": "sha384",
  "1.2.840.10045.4.3.4": "sha512",
  "1.2.840.113549.1.1.11": "sha256",
  "1.2.840.113549.1.1.12": "sha384",
  "1.2.840.113549.1.1.13": "sha512",
  "1.3.101.112": null,
};

/** Reads a request in PEM. Throws a CertificateRequestFault, in the words of Go's crypto/x509 where it has some. */
export function parseCertificateRequest(pem: string): CertificateRequest {
  const block = der.firstPem(pem);
  if (block === undefined || block.label !== "CERTIFICATE REQUEST")
    throw new CertificateRequestFault("PEM block type must be CERTIFICATE REQUEST");
  try {
    return requestOf(block.bytes);
  } catch (error) {
    throw new CertificateRequestFault(`asn1: structure error: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function requestOf(bytes: Buffer): CertificateRequest {
  const [info, algorithm, signature] = parts(bytes, 3);
  const [, subject, spki, ...attributes] = parts(info!, 3);
  const publicKey = createPublicKey({ key: spki!, format: "der", type: "spki" });
  const extensions = attributes.flatMap((each) => der.derChildren(each)).flatMap(requestedExtensions);
  const alternativeNamesValue = extensions.find(({ id }) => id === oids.alternativeNames)?.value;
  const names = subjectNames(subject!);
  return {
    commonName: names.findLast(({ id }) => id === oids.commonName)?.value ?? "",
    organizations: names.filter(({ id }) => id === oids.organization).map(({ value }) => value),
    alternativeNames: countsOf(alternativeNamesValue),
    publicKey,
    subject: subject!,
    alternativeNamesValue,
    signatureError: signatureErrorOf(info!, oidOf(der.derChildren(algorithm!)[0]!), signature!, publicKey),
  };
}

function parts(bytes: Buffer, least: number): Buffer[] {
  const found = der.derChildren(bytes);
  if (bytes[0] !== 0x30 || found.length < least) throw new RangeError("sequence truncated");
  return found;
}

function subjectNames(subject: Buffer): { id: string; value: string }[] {
  return der.derChildren(subject).flatMap((set) =>
    der.derChildren(set).map((attribute) => {
      const [id, value] = parts(attribute, 2);
      return { id: oidOf(id!), value: der.derContents(value!).toString("utf8") };
    }),
  );
}

function requestedExtensions(attribute: Buffer): { id: string; value: Buffer }[] {
  const [id, values] = parts(attribute, 2);
  if (oidOf(id!) !== oids.extensionRequest) return [];
  return der.derChildren(values!).flatMap((list) =>
    der.derChildren(list).map((extension) => {
      const fields = parts(extension, 2);
      return { id: oidOf(fields[0]!), value: der.derContents(fields.at(-1)!) };
    }),
  );
}

/** The forms of a GeneralName by their tags. */
const forms: Readonly<Record<number, keyof CertificateRequest["alternativeNames"]>> = {
  0x81: "email",
  0x82: "dns",
  0x86: "uri",
  0x87: "ip",
};

function countsOf(value: Buffer | undefined): CertificateRequest["alternativeNames"] {
  const counts = { dns: 0, email: 0, ip: 0, uri: 0 };
  for (const name of value === undefined ? [] : der.derChildren(value)) {
    const form = forms[name[0] ?? 0];
    if (form !== undefined) counts[form]++;
  }
  return counts;
}

function oidOf(bytes: Buffer): string {
  const [first = 0, ...rest] = der.derContents(bytes);
  const numbers = [Math.min(Math.floor(first / 40), 2)];
  numbers.push(first - numbers[0]! * 40);
  let value = 0;
  for (const byte of rest) {
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    numbers.push(value);
    value = 0;
  }
  return numbers.join(".");
}

function signatureErrorOf(info: Buffer, algorithm: string, signature: Buffer, key: KeyObject): string | undefined {
  const hash = signatureHashes[algorithm];
  if (hash === undefined) return "x509: cannot verify signature: algorithm unimplemented";
  // A bit string begins with the number of its unused bits.
  if (verify(hash, info, key, der.derContents(signature).subarray(1))) return undefined;
  return key.asymmetricKeyType === "rsa"
    ? "crypto/rsa: verification error"
    : `x509: ${key.asymmetricKeyType === "ec" ? "ECDSA" : "Ed25519"} verification failure`;
}
