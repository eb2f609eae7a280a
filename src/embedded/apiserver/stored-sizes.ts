import { jsonText, type KubeObject } from "../../core/object/index.ts";
import { StatusError } from "../status-error.ts";
import type { ObjectStorage } from "../storage/index.ts";

/** etcd's --max-request-bytes, and the size of the largest message that an API server sends to it. */
const maxRequestBytes = 1.5 * 1024 * 1024;
const maxMessageBytes = 2 * 1024 * 1024;
/** The key of the object and the rest of the transaction. */
const overheadBytes = 100;

/**
 * Refuses objects that are too large for etcd, in its words. Sizes are those of JSON, as custom resources are stored; built-in
 * kinds are stored as protobuf, which takes a little less.
 */
export class StoredSizes {
  /** At least as large as each object. Most are far below the limit, and are never measured. */
  readonly #bounds = new WeakMap<KubeObject, number>();

  /** Stores an object that a request of so many bytes has brought about. Default: 0, a write of an embedded controller. */
  put(store: ObjectStorage, resource: string, object: KubeObject, sentBytes = 0): KubeObject {
    const { namespace = "", name } = object.metadata;
    const live = store.read(resource, namespace, name);
    const bytes = measured(object, (live === undefined ? 0 : this.#boundOf(live)) + 2 * sentBytes + overheadBytes);
    const stored = store.put(resource, object);
    this.#bounds.set(stored, bytes);
    return stored;
  }

  /** An object of an earlier run, or one that a component has stored by itself, is measured when it is first replaced. */
  #boundOf(live: KubeObject): number {
    return this.#bounds.get(live) ?? bytesOf(live);
  }
}

function bytesOf(object: KubeObject): number {
  return Buffer.byteLength(jsonText(object)) + overheadBytes;
}

/** The size of an object, which is at most `bound`, or something between the two. */
function measured(object: KubeObject, bound: number): number {
  if (bound < maxRequestBytes / 2) return bound;
  const bytes = bytesOf(object);
  if (bytes > maxMessageBytes) {
    const sizes = `${bytes} vs. ${maxMessageBytes}`;
    throw new StatusError(500, "", `rpc error: code = ResourceExhausted desc = trying to send message larger than max (${sizes})`);
  }
  if (bytes > maxRequestBytes) throw new StatusError(500, "", "etcdserver: request is too large");
  return bytes;
}
