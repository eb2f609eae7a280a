import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../../core/file/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { isFields, numberAt, stringAt, type Fields } from "../../core/object/index.ts";
import type { CertificateKeyPair } from "../../lang/x509/index.ts";
import { createServingAuthority } from "../../server/index.ts";
import { codeOf } from "../private-file.ts";
import { version } from "../version.ts";

/** What a cluster proves itself by: its authority, and the key that signs tokens of service accounts, in PEM. */
export type ClusterIdentity = { readonly authority: CertificateKeyPair; readonly tokenKey: string };

/** The file that tells a folder with data of a cluster from any other. */
export const identityFile = "cluster.json";

/** The format of everything in the folder. A change that an older Sluice cannot read has a higher number. */
const format = 1;

const renewBeforeMs = 30 * 24 * 3_600_000;

/** Reads the identity of the cluster in this folder; makes one in a new folder, and a new authority before the old one expires. */
export function readIdentity(folder: string, name: string, now: Date): ClusterIdentity {
  const path = join(folder, identityFile);
  const found = contentOf(path);
  const known = found === undefined ? undefined : identityIn(found, path);
  if (known !== undefined && !expiresSoon(known.authority, now)) return known;
  const identity = { authority: createServingAuthority(name, now), tokenKey: known?.tokenKey ?? newTokenKey() };
  writeFileAtomic(path, `${JSON.stringify({ format, sluice: version, ...identity }, undefined, 2)}\n`, { mode: 0o600 });
  return identity;
}

function expiresSoon({ certificate }: CertificateKeyPair, now: Date): boolean {
  return new X509Certificate(certificate).validToDate.getTime() - now.getTime() < renewBeforeMs;
}

function newTokenKey(): string {
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

function contentOf(path: string): Fields | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new Fault(`read ${path}`, error, { final: true });
  }
  try {
    const content: unknown = JSON.parse(text);
    if (isFields(content)) return content;
  } catch {
    // Told below, as everything else that is no such file.
  }
  throw new Fault(`read ${path}`, "it is no JSON object: put it back from a copy, or name another folder", { final: true });
}

function identityIn(content: Fields, path: string): ClusterIdentity {
  const found = numberAt(content, "format");
  if (found !== format) {
    const writer = stringAt(content, "sluice", "an unknown version");
    throw new Fault(
      `read ${path}`,
      `the folder has the format ${found ?? "unknown"}, written by sluice ${writer}; sluice ${version} reads format ${format}: use sluice ${writer}, or name another folder`,
      { final: true },
    );
  }
  const [certificate, key, tokenKey] = ["authority.certificate", "authority.key", "tokenKey"].map((at) => stringAt(content, at));
  if (certificate === undefined || key === undefined || tokenKey === undefined)
    throw new Fault(`read ${path}`, "authority.certificate, authority.key or tokenKey is missing: put the file back from a copy", {
      final: true,
    });
  return { authority: { certificate, key }, tokenKey };
}
