import type { Clock } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { StatusError } from "../status-error.ts";
import { ObjectStorage } from "./object-storage.ts";
import { decodeStorageRecord, encodeChange, encodeHead, encodeObject, type StorageRecord } from "./storage-record.ts";

/** A log that outlives the process. */
export type DataLog = {
  /** The records that are kept, oldest first, and where each is, for messages. */
  records(): Iterable<{ readonly text: string; readonly place: string }>;
  /** Begins to append. `snapshot` gives the records that may stand for all so far. */
  begin(snapshot: () => Iterable<string>): void;
  /** Keeps a record, or throws. The error has `isFull: true` when there is no room for it. */
  append(record: string): void;
  /** Resolves when everything appended so far may be answered; undefined when it may be at once. */
  sync(): Promise<void> | undefined;
};

/** What a cluster has kept in a log: its objects, its recent events, and where its clock stood. */
export class ClusterData {
  readonly storage: ObjectStorage;
  /** The time of the last write; 0 in a new cluster. */
  readonly time: number;
  /** Nothing has been kept yet. */
  readonly isNew: boolean;
  readonly #log: DataLog;

  constructor(log: DataLog, { keptEvents }: { keptEvents?: number } = {}) {
    this.#log = log;
    const kept = keptEvents === undefined ? {} : { keptEvents };
    let storage: ObjectStorage | undefined;
    let time = 0;
    for (const { text, place } of log.records()) {
      const record = decodeStorageRecord(text);
      if (record?.type === "head" && storage === undefined) storage = new ObjectStorage({ ...kept, revision: record.head.revision });
      else if (record === undefined || storage === undefined || !isTaken(storage, record)) throw unexpected(place, text, storage);
      if (record.type !== "object") time = Math.max(time, record.type === "head" ? record.head.time : record.time);
    }
    this.isNew = storage === undefined;
    this.storage = storage ?? new ObjectStorage(kept);
    this.time = time;
  }

  /** From now on, every write of the storage is kept in the log before it takes effect. */
  begin(clock: Clock): void {
    this.#log.begin(() => snapshotOf(this.storage, clock.now()));
    this.storage.attachJournal((change) => {
      try {
        this.#log.append(encodeChange(change, clock.now()));
      } catch (error) {
        throw refusedWrite(error);
      }
    });
  }

  /** See DataLog. */
  sync(): Promise<void> | undefined {
    return this.#log.sync();
  }
}

/** An API server whose etcd has no room passes on etcd's words. */
function refusedWrite(error: unknown): StatusError {
  const why = error instanceof Error ? error.message : String(error);
  const isFull = error instanceof Error && "isFull" in error && error.isFull === true;
  return isFull
    ? new StatusError(500, "", `etcdserver: mvcc: database space exceeded: ${why}`)
    : new StatusError(500, "InternalError", `Internal error occurred: ${why}`);
}

/** The objects are those of this moment, whenever their records are read. */
function snapshotOf(storage: ObjectStorage, time: number): Iterable<string> {
  const { revision } = storage;
  const objects = [...storage.all()];
  return (function* () {
    yield encodeHead({ revision, time });
    for (const stored of objects) yield encodeObject(stored);
  })();
}

/** Puts a record into the storage; false when it does not follow the ones before. */
function isTaken(storage: ObjectStorage, record: StorageRecord): boolean {
  if (record.type === "head") return false;
  if (record.type === "object") {
    storage.restore(record.stored.resource, record.stored.object);
    return true;
  }
  const next = String(storage.revision + 1);
  if (record.type === "put") {
    const { resource, object } = record.stored;
    return object.metadata.resourceVersion === next && storage.put(resource, object) !== undefined;
  }
  return String(record.revision) === next && storage.remove(record.resource, record.namespace, record.name) !== undefined;
}

function unexpected(place: string, text: string, storage: ObjectStorage | undefined): Fault {
  const found = `the record ${JSON.stringify(text.slice(0, 120))}`;
  const expected = storage === undefined ? "that of a snapshot's beginning" : `that of revision ${storage.revision + 1}`;
  return new Fault(`read ${place}`, `found ${found}, expected ${expected}: records are missing or of another program`, { final: true });
}
