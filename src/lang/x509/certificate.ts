import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import * as der from "../der/index.ts";
import type { CertificateRequest } from "./certificate-request.ts";

/** A certificate and its key, both as PEM. */
export type CertificateKeyPair = { readonly certificate: string; readonly key: string };

type Validity = { readonly notBefore: Date; readonly notAfter: Date };

/** The subject of a certificate. Kubernetes takes a client's common name as user name and its organizations as groups. */
export type CertificateSubject = {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  /** The host names and IP addresses of a server. */
  readonly hosts?: readonly string[];
  readonly usages: readonly ("server" | "client")[];
};

const oids = {
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  commonName: "2.5.4.3",
  organization: "2.5.4.10",
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAlternativeName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  server: "1.3.6.1.5.5.7.3.1",
  client: "1.3.6.1.5.5.7.3.2",
  codeSigning: "1.3.6.1.5.5.7.3.3",
  emailProtection: "1.3.6.1.5.5.7.3.4",
  ipsecEndSystem: "1.3.6.1.5.5.7.3.5",
  ipsecTunnel: "1.3.6.1.5.5.7.3.6",
  ipsecUser: "1.3.6.1.5.5.7.3.7",
  timeStamping: "1.3.6.1.5.5.7.3.8",
  ocspSigning: "1.3.6.1.5.5.7.3.9",
  microsoftSgc: "1.3.6.1.4.1.311.10.3.3",
  netscapeSgc: "2.16.840.1.113730.4.1",
  any: "2.5.29.37.0",
};

/** What a certificate may be used for, beyond the bits of its key usage. */
export type ExtendedKeyUsage =
  | "server"
  | "client"
  | "codeSigning"
  | "emailProtection"
  | "ipsecEndSystem"
  | "ipsecTunnel"
  | "ipsecUser"
  | "timeStamping"
  | "ocspSigning"
  | "microsoftSgc"
  | "netscapeSgc"
  | "any";

/** Creates a self-signed certificate authority with an EC P-256 key. */
export function createCertificateAuthority(commonName: string, validity: Validity): CertificateKeyPair {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = nameOf({ commonName });
  const own = keyIdentifier(publicKey);
  const extensions = [
    extension(oids.basicConstraints, der.encodeSequence(der.encodeBoolean(true)), { critical: true }),
    extension(oids.keyUsage, keyUsage(["digitalSignature", "keyCertSign", "cRLSign"]), { critical: true }),
    extension(oids.subjectKeyIdentifier, der.encodeOctetString(own)),
  ];
  return paired({ issuer: name, subject: name, validity, publicKey, extensions, signer: privateKey }, privateKey);
}

/** Issues a certificate with a new key, signed by an authority of `createCertificateAuthority`. */
export function issueCertificate(authority: CertificateKeyPair, subject: CertificateSubject, validity: Validity): CertificateKeyPair {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const signer = createPrivateKey(authority.key);
  const hosts = subject.hosts ?? [];
  const extensions = [
    extension(oids.basicConstraints, der.encodeSequence(), { critical: true }),
    extension(oids.keyUsage, keyUsage(["digitalSignature"]), { critical: true }),
    extension(oids.extendedKeyUsage, der.encodeSequence(...subject.usages.map((usage) => der.encodeOid(oids[usage])))),
    extension(oids.subjectKeyIdentifier, der.encodeOctetString(keyIdentifier(publicKey))),
    extension(oids.authorityKeyIdentifier, der.encodeSequence(der.encodeTagged(0x80, keyIdentifier(createPublicKey(signer))))),
    ...(hosts.length > 0 ? [extension(oids.subjectAlternativeName, der.encodeSequence(...hosts.map(alternativeName)))] : []),
  ];
  return paired(
    { issuer: subjectOf(authority.certificate), subject: nameOf(subject), validity, publicKey, extensions, signer },
    privateKey,
  );
}

/** What a signed request may be used for. */
export type CertificateUsages = { readonly keyUsages: readonly KeyUsage[]; readonly extendedKeyUsages: readonly ExtendedKeyUsage[] };

/** Signs a request with an authority of `createCertificateAuthority`: its subject, its key and its alternative names. */
export function signCertificateRequest(
  authority: CertificateKeyPair,
  request: CertificateRequest,
  { keyUsages, extendedKeyUsages }: CertificateUsages,
  validity: Validity,
): string {
  const signer = createPrivateKey(authority.key);
  const { subject, publicKey, alternativeNamesValue } = request;
  const usages = extendedKeyUsages.map((usage) => der.encodeOid(oids[usage]));
  const extensions = [
    ...(keyUsages.length > 0 ? [extension(oids.keyUsage, keyUsage(keyUsages), { critical: true })] : []),
    ...(usages.length > 0 ? [extension(oids.extendedKeyUsage, der.encodeSequence(...usages))] : []),
    extension(oids.basicConstraints, der.encodeSequence(), { critical: true }),
    extension(oids.authorityKeyIdentifier, der.encodeSequence(der.encodeTagged(0x80, keyIdentifier(createPublicKey(signer))))),
    ...(alternativeNamesValue === undefined ? [] : [extension(oids.subjectAlternativeName, alternativeNamesValue)]),
  ];
  return signed({ issuer: subjectOf(authority.certificate), subject, validity, publicKey, extensions, signer });
}

type CertificateTemplate = {
  issuer: Buffer;
  subject: Buffer;
  validity: Validity;
  publicKey: KeyObject;
  extensions: readonly Buffer[];
  signer: KeyObject;
};

function paired(template: CertificateTemplate, privateKey: KeyObject): CertificateKeyPair {
  return { certificate: signed(template), key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

function signed({ issuer, subject, validity, publicKey, extensions, signer }: CertificateTemplate): string {
  const algorithm = der.encodeSequence(der.encodeOid(oids.ecdsaWithSha256));
  const toBeSigned = der.encodeSequence(
    der.encodeTagged(0xa0, der.encodeInteger(Buffer.from([2]))),
    serialFor(publicKey, validity),
    algorithm,
    issuer,
    der.encodeSequence(der.encodeTime(validity.notBefore), der.encodeTime(validity.notAfter)),
    subject,
    spkiOf(publicKey),
    der.encodeTagged(0xa3, der.encodeSequence(...extensions)),
  );
  const certificate = der.encodeSequence(toBeSigned, algorithm, der.encodeBitString(sign("sha256", toBeSigned, signer)));
  return der.pemText({ label: "CERTIFICATE", bytes: certificate });
}

/** Unique because every key is new. Positive and under 20 bytes, as RFC 5280 requires. */
function serialFor(publicKey: KeyObject, { notBefore }: Validity): Buffer {
  const digest = createHash("sha256").update(spkiOf(publicKey)).update(notBefore.toISOString()).digest();
  digest[0] = 0x01;
  return der.encodeInteger(digest.subarray(0, 16));
}

function nameOf({ commonName, organizations = [] }: { commonName: string; organizations?: readonly string[] }): Buffer {
  return der.encodeSequence(...organizations.map((name) => attribute(oids.organization, name)), attribute(oids.commonName, commonName));
}

function attribute(type: string, value: string): Buffer {
  return der.encodeSet(der.encodeSequence(der.encodeOid(type), der.encodeUtf8String(value)));
}

function extension(id: string, value: Buffer, { critical = false }: { critical?: boolean } = {}): Buffer {
  return der.encodeSequence(der.encodeOid(id), ...(critical ? [der.encodeBoolean(true)] : []), der.encodeOctetString(value));
}

const usageBits = {
  digitalSignature: 0,
  contentCommitment: 1,
  keyEncipherment: 2,
  dataEncipherment: 3,
  keyAgreement: 4,
  keyCertSign: 5,
  cRLSign: 6,
  encipherOnly: 7,
  decipherOnly: 8,
};

/** A bit of the key usage of a certificate. */
export type KeyUsage = keyof typeof usageBits;

/** Encodes named bits from the left, without trailing zero bits. */
function keyUsage(usages: readonly KeyUsage[]): Buffer {
  const bits = usages.map((usage) => usageBits[usage]);
  const last = Math.max(...bits);
  const bytes = Buffer.alloc(1 + (last >> 3));
  for (const bit of bits) bytes[bit >> 3]! |= 0x80 >> (bit & 7);
  return der.encodeBitString(bytes, 7 - (last & 7));
}

const dottedQuad = /^\d+\.\d+\.\d+\.\d+$/;

function alternativeName(host: string): Buffer {
  const isAddress = dottedQuad.test(host) || host.includes(":");
  return isAddress ? der.encodeTagged(0x87, addressBytes(host)) : der.encodeTagged(0x82, Buffer.from(host, "ascii"));
}

function addressBytes(address: string): Buffer {
  if (dottedQuad.test(address)) return Buffer.from(address.split(".").map(Number));
  const [head = "", tail] = address.split("::");
  const before = words(head);
  const after = words(tail ?? "");
  const all = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
  return Buffer.from(all.flatMap((word) => [word >> 8, word & 0xff]));
}

function words(part: string): number[] {
  return part === "" ? [] : part.split(":").map((word) => Number.parseInt(word, 16));
}

function spkiOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: "spki", format: "der" });
}

/** As in RFC 7093: the first 20 bytes of the SHA-256 of the key. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  return createHash("sha256").update(spkiOf(publicKey)).digest().subarray(0, 20);
}

/** The encoded subject of a certificate. The issuer of what it signs must be identical. */
function subjectOf(certificate: string): Buffer {
  const [toBeSigned] = der.derChildren(der.firstPem(certificate)?.bytes ?? Buffer.alloc(0));
  // version, serial, algorithm, issuer, validity, subject
  const subject = toBeSigned === undefined ? undefined : der.derChildren(toBeSigned)[5];
  if (subject === undefined) throw new TypeError("not a version 3 certificate");
  return subject;
}
