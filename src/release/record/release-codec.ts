import { gunzipSync, gzipSync } from "node:zlib";
import { Fault } from "../../core/fault/index.ts";
import { revisionBodyOf, helmJsonOf, type RevisionBody } from "./helm-json.ts";
import { releaseText, type Revision } from "./revision.ts";

/** The size limit of a Secret's or ConfigMap's data. Models pkg/apis/core/types.go MaxSecretSize */
const maxBytes = 1024 * 1024;

/** Far more than a record that fits into a Secret unpacks to, and small enough to be refused safely. */
const maxUnpackedBytes = 64 * 1024 * 1024;

const gzipMagic = [0x1f, 0x8b, 0x08];

/**
 * Encodes a revision as Helm stores it under the key `release`: JSON, gzip, base64. Models helm
 * pkg/storage/driver/util.go encodeRelease
 */
export function encodeRelease(body: RevisionBody): string {
  return gzipSync(JSON.stringify(helmJsonOf(body)), { level: 9 }).toString("base64");
}

/** What the records of one release may unpack to together. Whoever may write Secrets in its namespace may write records. */
export class UnpackBudget {
  #left = 2 * maxUnpackedBytes;

  /** The unpacked bytes. Throws a Fault when there are too many. */
  unpack(bytes: Uint8Array): Buffer {
    const maxOutputLength = Math.min(this.#left, maxUnpackedBytes);
    try {
      if (maxOutputLength <= 0) throw new RangeError();
      const unpacked = gunzipSync(bytes, { maxOutputLength });
      this.#left -= unpacked.length;
      return unpacked;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // It took the work of as many bytes to learn that there are more.
      this.#left -= maxOutputLength;
      throw new Fault(`it unpacks to more than the ${Math.floor(maxOutputLength / 2 ** 20)} MiB allowed`, undefined, { final: true });
    }
  }
}

/** Decodes what any Helm version wrote. Uncompressed text is accepted, as in Helm. */
export function decodeRelease(text: string, budget = new UnpackBudget()): RevisionBody {
  return revisionBodyOf(JSON.parse(unpacked(Buffer.from(text, "base64"), budget).toString("utf8")));
}

function unpacked(bytes: Buffer, budget: UnpackBudget): Buffer {
  if (bytes.length === 0) throw new Fault("it is empty", undefined, { final: true });
  const isPacked = gzipMagic.every((byte, at) => bytes[at] === byte);
  return isPacked ? budget.unpack(bytes) : bytes;
}

/** A record grows during a deploy: by its description, and by the run of each hook. */
const roomForDescription = 4096;
const roomPerHook = 128;

/** Why this revision is too large or too deep to record, checked before anything is applied; undefined when it fits. */
export function objectionToRecord(revision: Revision): string | undefined {
  const length = encodedLengthOf(revision);
  if (length === undefined)
    return `the values of release ${releaseText(revision)} are nested too deep for its record: several thousand levels fit; make them flatter`;
  const bytes = length + roomForDescription + roomPerHook * revision.hooks.length;
  if (bytes <= maxBytes) return undefined;
  return (
    `the record of release ${releaseText(revision)} needs ${bytes} bytes, and a ${revision.storage} holds ${maxBytes}: ` +
    "split the release into several, or move large data out of its manifests"
  );
}

/** Undefined when it is nested deeper than the stack allows, which the engine says by a RangeError. */
function encodedLengthOf(revision: Revision): number | undefined {
  try {
    return encodeRelease(revision).length;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
