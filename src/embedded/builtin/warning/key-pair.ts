import { createPrivateKey, createPublicKey, X509Certificate, type KeyObject } from "node:crypto";
import { fieldsAt, stringAt, type KubeObject } from "../../../core/object/index.ts";

// Models crypto/tls X509KeyPair, by which pkg/registry/core/secret/strategy.go judges a Secret of the type kubernetes.io/tls

type PemBlock = { readonly type: string; readonly bytes: Buffer };

const block = /-----BEGIN ([^\n]*?)-----[ \t\r]*\n([^-]*)-----END \1-----/g;

/** The blocks of a text. What is no base64 is none. */
function pemBlocks(text: string): readonly PemBlock[] {
  return [...text.matchAll(block)].flatMap(([, type = "", content = ""]) => {
    const body = (content.includes(":") ? content.slice(content.search(/\n\r?\n/)) : content).replaceAll(/\s/g, "");
    return /^[A-Za-z0-9+/]*={0,2}$/.test(body) && body.length % 4 === 0 ? [{ type, bytes: Buffer.from(body, "base64") }] : [];
  });
}

/** A certificate whose key is another, or that is none. */
export function secretWarnings(secret: KubeObject): readonly string[] {
  if (stringAt(secret, "type") !== "kubernetes.io/tls") return [];
  const data = fieldsAt(secret, "data");
  const text = (key: string) => Buffer.from(String(data[key] ?? ""), "base64").toString("latin1");
  const problem = keyPairProblem(pemBlocks(text("tls.crt")), pemBlocks(text("tls.key")));
  return problem === undefined ? [] : [problem];
}

const types = (blocks: readonly PemBlock[]) => `[${blocks.map(({ type }) => type).join(" ")}]`;

function keyPairProblem(certificates: readonly PemBlock[], keys: readonly PemBlock[]): string | undefined {
  const certificate = certificates.find(({ type }) => type === "CERTIFICATE");
  if (certificate === undefined) {
    if (certificates.length === 0) return "tls: failed to find any PEM data in certificate input";
    if (certificates.length === 1 && certificates[0]?.type.endsWith("PRIVATE KEY"))
      return "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched";
    return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: ${types(certificates)}`;
  }
  const key = keys.find(({ type }) => type === "PRIVATE KEY" || type.endsWith(" PRIVATE KEY"));
  if (key === undefined) {
    if (keys.length === 0) return "tls: failed to find any PEM data in key input";
    if (keys.length === 1 && keys[0]?.type === "CERTIFICATE")
      return "tls: found a certificate rather than a key in the PEM for the private key";
    return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: ${types(keys)}`;
  }
  return mismatchOf(certificate.bytes, key.bytes);
}

function mismatchOf(certificate: Buffer, key: Buffer): string | undefined {
  const publicKey = parsed(() => new X509Certificate(certificate).publicKey);
  if (publicKey === undefined) return "x509: malformed certificate"; // Go names the field that it could not read
  const privateKey = privateKeyOf(key);
  if (typeof privateKey === "string") return privateKey;
  if (!keyTypes.has(publicKey.asymmetricKeyType ?? "")) return "tls: unknown public key algorithm";
  if (publicKey.asymmetricKeyType !== privateKey.asymmetricKeyType) return "tls: private key type does not match public key type";
  return createPublicKey(privateKey).equals(publicKey) ? undefined : "tls: private key does not match public key";
}

const keyTypes = new Set(["rsa", "ec", "ed25519"]);

function privateKeyOf(bytes: Buffer): KeyObject | string {
  for (const type of ["pkcs1", "pkcs8", "sec1"] as const) {
    const key = parsed(() => createPrivateKey({ key: bytes, format: "der", type }));
    if (key !== undefined && keyTypes.has(key.asymmetricKeyType ?? "")) return key;
    if (key?.asymmetricKeyType === "x25519") return "tls: found unknown private key type in PKCS#8 wrapping";
  }
  return "tls: failed to parse private key";
}

function parsed(read: () => KeyObject): KeyObject | undefined {
  try {
    return read();
  } catch {
    return undefined; // OpenSSL says what it could not read in words of its own
  }
}
