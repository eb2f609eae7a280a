import { basename } from "node:path";
import { Fault } from "../core/fault/index.ts";
import { mapAt } from "../core/object/index.ts";
import { readKeyring, verifyClearSigned, type VerifiedText } from "../lang/openpgp/index.ts";
import { quote } from "../lang/template/index.ts";
import { readYaml } from "../lang/yaml/index.ts";
import { sha256 } from "./digest.ts";
import { readFileIfExists } from "./store/file.ts";

/** Larger than any provenance file: it is a Chart.yaml and a signature. */
export const maxProvenanceBytes = 2 ** 20;

/** Who vouches for a chart. */
export type Verification = Pick<VerifiedText, "signedBy" | "fingerprint"> & { readonly digest: string };

/** A packed chart with its provenance file. `name` is the name of the archive, which the signature is about. */
export type SignedChart = {
  readonly name: string;
  /** As `digestOf` writes it. */
  readonly digest: string;
  readonly provenance: string;
  /** The public keys that it may be signed by. */
  readonly keyring: Uint8Array;
};

/** The digest of an archive, as provenance files have it. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${sha256(bytes)}`;
}

/** Verifies that somebody in the keyring has signed the chart, and that it is the one. Models helm pkg/provenance Verify */
export function verifyProvenance({ name, digest, provenance, keyring }: SignedChart, nowMs: number): Verification {
  try {
    const { text, signedBy, fingerprint } = verifyClearSigned(provenance, readKeyring(keyring), nowMs);
    const parts = `${text}\n`.split("\n...\n");
    if (parts.length < 2) throw new Fault("message block must have at least two parts");
    const file = basename(name);
    const promised = mapAt(readYaml(parts[1] ?? "", "its sums"), "files")[file];
    if (promised === undefined) throw new Fault(`provenance does not contain a SHA for a file named ${quote(file)}`);
    if (promised !== digest) throw new Fault(`sha256 sum does not match for ${file}: ${quote(promised)} != ${quote(digest)}`);
    return { signedBy, fingerprint, digest };
  } catch (error) {
    throw new Fault(`verify the provenance of ${name}`, error, { final: true });
  }
}

export function readKeyringFile(path: string): Uint8Array {
  const bytes = readFileIfExists(path);
  if (bytes === undefined)
    throw new Fault(`read the keyring ${path}`, "there is no such file: name one with --keyring, such as gpg --export writes", {
      final: true,
    });
  return bytes;
}
