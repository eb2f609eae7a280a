import { gunzipSync, gzipSync } from "node:zlib";
import { Fault } from "../../core/fault/index.ts";
import { revisionBodyOf, helmJsonOf, type RevisionBody } from "./helm-json.ts";
import { releaseText, type Revision } from "./revision.ts";

/** The size limit of a Secret's or ConfigMap's data. Models pkg/apis/core/types.go MaxSecretSize */
const maxBytes = 1024 * 1024;

/** Far more than a record that fits into a Secret unpacks to, and small enough to be refused safely. */
const maxUnpackedBytes = 256 * 1024 * 1024;

const gzipMagic = [0x1f, 0x8b, 0x08];

/**
 * Encodes a revision as Helm stores it under the key `release`: JSON, gzip, base64. Models helm
 * pkg/storage/driver/util.go encodeRelease
 */
export function encodeRelease(body: RevisionBody): string {
  return gzipSync(JSON.stringify(helmJsonOf(body)), { level: 9 }).toString("base64");
}

/** Decodes what any Helm version wrote. Uncompressed text is accepted, as in Helm. */
export function decodeRelease(text: string): RevisionBody {
  return revisionBodyOf(JSON.parse(unpacked(Buffer.from(text, "base64")).toString("utf8")));
}

function unpacked(bytes: Buffer): Buffer {
  if (bytes.length === 0) throw new Fault("it is empty", undefined, { final: true });
  const isPacked = gzipMagic.every((byte, at) => bytes[at] === byte);
  return isPacked ? gunzipSync(bytes, { maxOutputLength: maxUnpackedBytes }) : bytes;
}

/** A record grows during a deploy: by its description, and by the run of each hook. */
const roomForDescription = 4096;
const roomPerHook = 128;

/** Why this revision is too large to record, checked before anything is applied; undefined when it fits. */
export function objectionToRecord(revision: Revision): string | undefined {
  const bytes = encodeRelease(revision).length + roomForDescription + roomPerHook * revision.hooks.length;
  if (bytes <= maxBytes) return undefined;
  return (
    `the record of release ${releaseText(revision)} needs ${bytes} bytes, and a ${revision.storage} holds ${maxBytes}: ` +
    "split the release into several, or move large data out of its manifests"
  );
}
