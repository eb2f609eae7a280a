import { gunzipSync, gzipSync } from "node:zlib";
import { Fault } from "../../core/fault/index.ts";
import { revisionBodyOf, helmJsonOf, type RevisionBody } from "./helm-json.ts";
import { releaseText, type Revision } from "./revision.ts";

/** What a Secret's data may come to, and a ConfigMap's. Models pkg/apis/core/types.go MaxSecretSize */
const mostBytes = 1024 * 1024;

/** Far more than any record that fits into a Secret unpacks to, and little enough to be refused in peace. */
const mostUnpackedBytes = 256 * 1024 * 1024;

const gzipMagic = [0x1f, 0x8b, 0x08];

/** The text that Helm keeps under the key `release`: JSON, gzip, base64. Models helm pkg/storage/driver/util.go encodeRelease */
export function encodeRelease(body: RevisionBody): string {
  return gzipSync(JSON.stringify(helmJsonOf(body)), { level: 9 }).toString("base64");
}

/** Reads such a text, whichever Helm wrote it. One that is not packed is read too, as Helm does. */
export function decodeRelease(text: string): RevisionBody {
  return revisionBodyOf(JSON.parse(unpacked(Buffer.from(text, "base64")).toString("utf8")));
}

function unpacked(bytes: Buffer): Buffer {
  if (bytes.length === 0) throw new Fault("it is empty", undefined, { final: true });
  const isPacked = gzipMagic.every((byte, at) => bytes[at] === byte);
  return isPacked ? gunzipSync(bytes, { maxOutputLength: mostUnpackedBytes }) : bytes;
}

/** A record grows while its deploy goes on: a description, and for each hook when it ran and how. */
const roomForDescription = 4096;
const roomPerHook = 128;

/** Why this revision cannot be recorded, to be asked before anything is applied; nothing when it can. */
export function objectionToRecord(revision: Revision): string | undefined {
  const bytes = encodeRelease(revision).length + roomForDescription + roomPerHook * revision.hooks.length;
  if (bytes <= mostBytes) return undefined;
  return (
    `the record of release ${releaseText(revision)} needs ${bytes} bytes, and a ${revision.storage} holds ${mostBytes}: ` +
    "split the release into several, or move large data out of its manifests"
  );
}
