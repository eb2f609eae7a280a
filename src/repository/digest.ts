import { createHash } from "node:crypto";
import { Fault } from "../core/fault/index.ts";

export function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const algorithms: Readonly<Record<string, { readonly digits: number }>> = {
  sha256: { digits: 64 },
  sha384: { digits: 96 },
  sha512: { digits: 128 },
};

/** `sha256:…` with the right number of digits. */
export function isDigest(text: string): boolean {
  const [algorithm = "", hex = "", ...rest] = text.split(":");
  return (
    rest.length === 0 && Object.hasOwn(algorithms, algorithm) && hex.length === algorithms[algorithm]!.digits && /^[0-9a-f]+$/.test(hex)
  );
}

/** The hex digits of a digest in an index, which may omit the algorithm. Undefined when there is none. */
export function indexedDigest(text: string): string | undefined {
  if (text === "") return undefined;
  const hex = text.slice(text.indexOf(":") + 1).toLowerCase();
  if (/^[0-9a-f]*$/.test(hex) && hex.length === 64) return hex;
  throw new Fault(`invalid digest ${JSON.stringify(text)}: expected the 64 hex digits of a SHA-256`, undefined, { final: true });
}

/** Throws when the text is no digest: what a registry says is no path before it is checked. */
export function requireDigest(text: string, what: string): void {
  if (!isDigest(text)) throw new Fault(`${what}: ${JSON.stringify(text)} is no digest that can be checked`, undefined, { final: true });
}

/** Throws when the bytes do not have the digest. */
export function checkDigest(bytes: Uint8Array, digest: string, what: string): void {
  requireDigest(digest, what);
  const [algorithm = "", expected] = digest.split(":");
  const actual = createHash(algorithm).update(bytes).digest("hex");
  if (actual === expected) return;
  throw new Fault(`${what}: the content is not what was promised: expected ${digest}, got ${algorithm}:${actual}`, undefined, {
    final: true,
  });
}
