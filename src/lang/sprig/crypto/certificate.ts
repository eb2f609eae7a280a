import { createHash, createPublicKey, sign, X509Certificate, type KeyObject } from "node:crypto";
import * as der from "../../der/index.ts";
import { parsePrivateKey, type PrivateKey } from "./key.ts";

/** A certificate and its private key, both as PEM. */
export type CertificateAndKey = { readonly cert: string; readonly key: string };

/** The contents of a certificate, as in Go's x509.CreateCertificate. */
export type CertificateTemplate = {
  readonly commonName: string;
  readonly addresses: readonly Uint8Array[];
  readonly names: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly isAuthority: boolean;
  /** 16 bytes. */
  readonly serial: Uint8Array;
};

const oids = {
  commonName: "2.5.4.3",
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAlternativeName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  serverAuthentication: "1.3.6.1.5.5.7.3.1",
  clientAuthentication: "1.3.6.1.5.5.7.3.2",
};

/** Creates a self-signed certificate. */
export function selfSigned(template: CertificateTemplate, key: PrivateKey): CertificateAndKey {
  return issue(template, key, { subject: nameOf(template.commonName), keyIdentifier: undefined, key });
}

/** Creates a certificate signed by `authority`. Throws with Sprig's messages. */
export function signedBy(authority: CertificateAndKey, template: CertificateTemplate, key: PrivateKey): CertificateAndKey {
  const issuer = readCertificate(authority.cert, "decodedSignerCert");
  const signer = prefixErrors("error parsing private key", () => parsePrivateKey(authority.key));
  if (!issuer.checkPrivateKey(signer.key) && signer.canSign)
    throw new Error("error creating certificate: x509: provided PrivateKey doesn't match parent's PublicKey");
  const [toBeSigned] = der.derChildren(issuer.raw);
  return issue(template, key, { ...identityIn(toBeSigned!), key: signer });
}

type Issuer = { readonly subject: Buffer; readonly keyIdentifier: Buffer | undefined; readonly key: PrivateKey };

function issue(template: CertificateTemplate, key: PrivateKey, issuer: Issuer): CertificateAndKey {
  if (!issuer.key.canSign) throw new Error("error creating certificate: x509: certificate private key does not implement crypto.Signer");
  const subject = nameOf(template.commonName);
  const { algorithm, digest } = signatureOf(issuer.key.key);
  const toBeSigned = der.encodeSequence(
    der.encodeTagged(0xa0, der.encodeInteger(Uint8Array.of(2))),
    der.encodeInteger(template.serial),
    algorithm,
    issuer.subject,
    der.encodeSequence(der.encodeTime(template.notBefore), der.encodeTime(template.notAfter)),
    subject,
    publicBytes(key.key),
    der.encodeTagged(
      0xa3,
      der.encodeSequence(...extensionsOf(template, key, subject.equals(issuer.subject) ? undefined : issuer.keyIdentifier)),
    ),
  );
  const signature = sign(digest, toBeSigned, issuer.key.key);
  const bytes = der.encodeSequence(toBeSigned, algorithm, der.encodeBitString(signature));
  return { cert: der.pemText({ label: "CERTIFICATE", bytes }), key: key.pem };
}

/** The extensions, in the order of Go's crypto/x509. */
function extensionsOf(template: CertificateTemplate, key: PrivateKey, authority: Buffer | undefined): Buffer[] {
  const alternatives = [
    ...template.names.map((name) => der.encodeTagged(0x82, Buffer.from(name, "utf8"))),
    ...template.addresses.map((address) => der.encodeTagged(0x87, address)),
  ];
  return [
    // digitalSignature and keyEncipherment, plus keyCertSign for an authority: bits 0, 2 and 5 from the left.
    extension(
      oids.keyUsage,
      template.isAuthority ? der.encodeBitString(Uint8Array.of(0xa4), 2) : der.encodeBitString(Uint8Array.of(0xa0), 5),
      true,
    ),
    extension(
      oids.extendedKeyUsage,
      der.encodeSequence(der.encodeOid(oids.serverAuthentication), der.encodeOid(oids.clientAuthentication)),
    ),
    extension(oids.basicConstraints, template.isAuthority ? der.encodeSequence(der.encodeBoolean(true)) : der.encodeSequence(), true),
    ...(template.isAuthority ? [extension(oids.subjectKeyIdentifier, der.encodeOctetString(keyIdentifier(key.key)))] : []),
    ...(authority === undefined ? [] : [extension(oids.authorityKeyIdentifier, der.encodeSequence(der.encodeTagged(0x80, authority)))]),
    // A certificate without a subject is identified by this extension, so it is critical.
    ...(alternatives.length === 0
      ? []
      : [extension(oids.subjectAlternativeName, der.encodeSequence(...alternatives), template.commonName === "")]),
  ];
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return der.encodeSequence(der.encodeOid(id), ...(critical ? [der.encodeBoolean(true)] : []), der.encodeOctetString(value));
}

function nameOf(commonName: string): Buffer {
  if (commonName === "") return der.encodeSequence();
  const isPrintable = /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(commonName);
  const value = isPrintable ? der.encodePrintableString(commonName) : der.encodeUtf8String(commonName);
  return der.encodeSequence(der.encodeSet(der.encodeSequence(der.encodeOid(oids.commonName), value)));
}

function signatureOf(key: KeyObject): { algorithm: Buffer; digest: string | null } {
  if (key.asymmetricKeyType === "ed25519") return { algorithm: der.encodeSequence(der.encodeOid("1.3.101.112")), digest: null };
  // SHA-256 with RSA takes a NULL parameter.
  if (key.asymmetricKeyType === "rsa")
    return { algorithm: der.encodeSequence(der.encodeOid("1.2.840.113549.1.1.11"), Uint8Array.of(5, 0)), digest: "sha256" };
  const curve = key.asymmetricKeyDetails?.namedCurve;
  const [oid, digest] =
    curve === "secp384r1"
      ? ["1.2.840.10045.4.3.3", "sha384"]
      : curve === "secp521r1"
        ? ["1.2.840.10045.4.3.4", "sha512"]
        : ["1.2.840.10045.4.3.2", "sha256"];
  return { algorithm: der.encodeSequence(der.encodeOid(oid!)), digest: digest! };
}

function publicBytes(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: "spki", format: "der" });
}

/** The first 20 bytes of the SHA-256 of the public key (RFC 7093). */
function keyIdentifier(key: KeyObject): Buffer {
  const [, published] = der.derChildren(publicBytes(key));
  return createHash("sha256").update(der.derContents(published!).subarray(1)).digest().subarray(0, 20);
}

/** Subject and key identifier of an authority, from its TBSCertificate. */
function identityIn(toBeSigned: Buffer): { subject: Buffer; keyIdentifier: Buffer | undefined } {
  const fields = der.derChildren(toBeSigned);
  // version, serial, algorithm, issuer, validity, subject; version 1 is omitted
  const subject = fields[fields[0]?.[0] === 0xa0 ? 5 : 4];
  if (subject === undefined) throw new Error("error parsing certificate: decodedSignerCert.Bytes: x509: malformed tbs certificate");
  const list = fields.find((field) => field[0] === 0xa3);
  const extensions = list === undefined ? [] : der.derChildren(der.derContents(list));
  const id = der.encodeOid(oids.subjectKeyIdentifier);
  const own = extensions.map(der.derChildren).find(([type]) => type?.equals(id));
  const value = own?.at(-1);
  return { subject, keyIdentifier: value === undefined ? undefined : der.derContents(der.derContents(value)) };
}

/** Parses a PEM certificate. Throws with Sprig's messages. */
export function readCertificate(pem: string, what: "decodedCert" | "decodedSignerCert"): X509Certificate {
  const block = der.firstPem(pem);
  if (block === undefined) throw new Error("unable to decode certificate");
  try {
    return new X509Certificate(block.bytes);
  } catch (cause) {
    throw new Error(`error parsing certificate: ${what}.Bytes: x509: malformed certificate`, { cause });
  }
}

export function prefixErrors<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new Error(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
