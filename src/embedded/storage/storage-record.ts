import { integerOf, isFields, jsonText, type KubeObject } from "../../core/object/index.ts";
import type { StoredObject, StoreEvent } from "./object-storage.ts";

/** What a snapshot begins with: the revision of the storage, and the time of the cluster's clock. */
type SnapshotHead = { readonly revision: number; readonly time: number };

/** A record of the log, as it is read back. A change without an object is a deletion. */
export type StorageRecord =
  | { readonly type: "head"; readonly head: SnapshotHead }
  | { readonly type: "object"; readonly stored: StoredObject }
  | { readonly type: "put"; readonly stored: StoredObject; readonly time: number }
  | {
      readonly type: "remove";
      readonly resource: string;
      readonly namespace: string;
      readonly name: string;
      readonly revision: number;
      readonly time: number;
    };

export function encodeHead({ revision, time }: SnapshotHead): string {
  return jsonText({ revision, time });
}

export function encodeObject({ resource, object }: StoredObject): string {
  return jsonText({ resource, object });
}

/** A change and the time of the cluster's clock. Of a deleted object only the name is kept. */
export function encodeChange({ type, resource, object, revision }: StoreEvent, time: number): string {
  if (type !== "DELETED") return jsonText({ time, resource, object });
  const { namespace = "", name } = object.metadata;
  return jsonText({ time, resource, revision, deleted: [namespace, name] });
}

/** Undefined for what no version of this format has written. */
export function decodeStorageRecord(text: string): StorageRecord | undefined {
  const record = parse(text);
  if (!isFields(record)) return undefined;
  const { time, resource, object, revision, deleted } = record;
  if (resource === undefined) return isNumber(revision) && isNumber(time) ? { type: "head", head: { revision, time } } : undefined;
  if (typeof resource !== "string") return undefined;
  if (isStored(object)) {
    const stored = { resource, object };
    return isNumber(time) ? { type: "put", stored, time } : { type: "object", stored };
  }
  const [namespace, name]: readonly unknown[] = Array.isArray(deleted) ? deleted : [];
  if (typeof namespace !== "string" || typeof name !== "string" || !isNumber(revision) || !isNumber(time)) return undefined;
  return { type: "remove", resource, namespace, name, revision, time };
}

/** Numbers with so many digits may not fit into a JavaScript number. */
const manyDigits = /[:[,]-?\d{16}/;

function parse(text: string): unknown {
  if (!manyDigits.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key: string, value: unknown, context?: { source?: string }) => {
    const source = context?.source ?? "";
    return typeof value === "number" && /^-?\d{16,}$/.test(source) ? integerOf(BigInt(source)) : value;
  });
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

function isStored(value: unknown): value is KubeObject {
  return isFields(value) && isFields(value["metadata"]) && typeof value["metadata"]["name"] === "string";
}
