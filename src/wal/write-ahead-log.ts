import { rmSync, statSync } from "node:fs";
import { Fault } from "../core/fault/index.ts";
import { AppendFile, systemCalls, type FileCalls } from "./append-file.ts";
import { logPath, settleLogFiles, snapshotPath, syncFile, syncFolder, type LogFiles } from "./log-files.ts";
import { readLog, readSnapshot, type LogRecord, type TornRecord } from "./read-records.ts";
import { encodeLine } from "./record-line.ts";
import { writeSnapshot, writeSnapshotNow } from "./write-snapshot.ts";

type WriteAheadLogOptions = {
  /** `sync` waits for the disk. Default: it waits for nothing. */
  readonly fsync?: boolean;
  /** A snapshot is taken when the logs since the last one are larger than it and than this. Default 4 MiB. */
  readonly compactAfterBytes?: number;
  readonly calls?: FileCalls;
};

/** A snapshot is also taken when there are more logs than this: each start begins a new one. */
const maxLogs = 8;

const snapshotHeader = (number: number) => `sluice snapshot ${number}`;
const logHeader = (number: number) => `sluice log ${number}`;

/**
 * A log of records in a folder that nobody else writes to. First all records are read, then `begin` is called, then records
 * are appended.
 */
export class WriteAheadLog {
  /** A record at the end that was not written to its end, and was removed. Known when all records are read. */
  torn: TornRecord | undefined;
  /** Resolves when the disk could not keep what was written: nothing that this process says can be trusted any more. */
  readonly failed: Promise<Fault>;
  readonly #folder: string;
  readonly #fsync: boolean;
  readonly #calls: FileCalls;
  readonly #compactAfterBytes: number;
  readonly #stopped = new AbortController();
  readonly #fail: (fault: Fault) => void;
  #failure: Fault | undefined;
  #files: LogFiles;
  #file: AppendFile | undefined;
  #number = 0;
  #snapshot: (() => Iterable<string>) | undefined;
  /** Since the last snapshot, without the present log. */
  #loggedBytes = 0;
  #compactAtBytes = 0;
  #compaction: Promise<void> | undefined;

  constructor(folder: string, { fsync = false, compactAfterBytes = 4 * 1024 * 1024, calls = systemCalls }: WriteAheadLogOptions = {}) {
    this.#folder = folder;
    this.#fsync = fsync;
    this.#calls = calls;
    this.#compactAfterBytes = compactAfterBytes;
    this.#files = settleLogFiles(folder);
    const { promise, resolve } = Promise.withResolvers<Fault>();
    this.failed = promise;
    this.#fail = resolve;
  }

  /** Whether nothing has been kept yet. */
  get isNew(): boolean {
    return this.#files.snapshot === undefined;
  }

  /** The records of the last snapshot, then those that were appended since. Throws a Fault where one is damaged. */
  *records(): Generator<LogRecord> {
    const { snapshot, logs } = this.#files;
    if (snapshot === undefined) return;
    yield* readSnapshot(snapshotPath(this.#folder, snapshot), snapshotHeader(snapshot));
    for (const number of logs) {
      const onTorn = number === logs.at(-1) ? (torn: TornRecord) => (this.torn = torn) : undefined;
      yield* readLog(logPath(this.#folder, number), logHeader(number), onTorn);
    }
  }

  /** Begins to append, to a new log. `snapshot` gives the records that stand for all so far. */
  begin(snapshot: () => Iterable<string>): void {
    this.#snapshot = snapshot;
    const { snapshot: last, logs } = this.#files;
    const number = logs.length > 0 ? logs.at(-1)! + 1 : (last ?? 1);
    try {
      // An earlier run may have been without fsync, and answers tell of what it wrote.
      if (this.#fsync) for (const log of logs) syncFile(logPath(this.#folder, log));
      this.#open(number);
      const bytes =
        last === undefined
          ? writeSnapshotNow(snapshotPath(this.#folder, number), snapshotHeader(number), snapshot())
          : sizeOf(snapshotPath(this.#folder, last));
      this.#compactAtBytes = logs.length >= maxLogs ? 0 : Math.max(bytes, this.#compactAfterBytes);
    } catch (error) {
      const other = error instanceof Error && "code" in error && error.code === "EEXIST";
      throw new Fault(`write to ${this.#folder}`, other ? "another process has just begun to use it: end that one first" : error, {
        final: true,
      });
    }
    this.#loggedBytes = logs.reduce((sum, log) => sum + sizeOf(logPath(this.#folder, log)), 0);
  }

  /** Resolves when no snapshot is being written. */
  get compacted(): Promise<void> {
    return this.#compaction ?? Promise.resolve();
  }

  /** Appends a record. It outlives the process when this returns. Throws a Fault when it was not kept. */
  append(record: string): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#file === undefined) throw new TypeError("a log takes no records before it has begun");
    if (this.#loggedBytes + this.#file.length >= this.#compactAtBytes) this.#compact(this.#file);
    try {
      this.#file.append(encodeLine("record", record));
    } catch (error) {
      throw writeFailure(`write to ${logPath(this.#folder, this.#number)}`, error, this.#folder);
    }
  }

  /** Resolves when all that was appended outlives a power cut; undefined when it does already, or need not. */
  sync(): Promise<void> | undefined {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (!this.#fsync) return undefined;
    return this.#file?.sync()?.catch((error: unknown) => this.#giveUp(error));
  }

  /** Ends appending, with everything on the disk. */
  async close(): Promise<void> {
    this.#stopped.abort();
    await this.compacted;
    const file = this.#file;
    this.#file = undefined;
    if (this.#failure === undefined) file?.syncNow();
    await file?.close();
  }

  /** After a failed fsync, the system may have forgotten what it could not write: a second one would succeed and mean nothing. */
  #giveUp(error: unknown): never {
    this.#failure ??= new Fault(`write ${logPath(this.#folder, this.#number)} to the disk`, error, { final: true });
    this.#fail(this.#failure);
    throw this.#failure;
  }

  #open(number: number): void {
    const path = logPath(this.#folder, number);
    const file = new AppendFile(path, this.#calls);
    try {
      file.append(encodeLine("header", logHeader(number)));
      if (this.#fsync) file.syncNow();
      syncFolder(this.#folder);
    } catch (error) {
      void file.close();
      rmSync(path, { force: true });
      throw error;
    }
    this.#file = file;
    this.#number = number;
  }

  /** Begins a new log, and writes a snapshot of what came before it. When there is no room for that, it goes on as before. */
  #compact(old: AppendFile): void {
    if (this.#compaction !== undefined || this.#snapshot === undefined) return;
    const logged = this.#loggedBytes + old.length;
    this.#compactAtBytes = logged + this.#compactAfterBytes;
    try {
      old.syncNow();
      this.#open(this.#number + 1);
    } catch {
      return; // tried again when the log has grown further
    }
    const number = this.#number;
    const records = this.#snapshot();
    this.#loggedBytes = logged;
    this.#compaction = this.#writeSnapshot(number, records, logged, old);
  }

  async #writeSnapshot(number: number, records: Iterable<string>, replaced: number, old: AppendFile): Promise<void> {
    const path = snapshotPath(this.#folder, number);
    try {
      const bytes = await writeSnapshot(path, snapshotHeader(number), records, this.#stopped.signal);
      this.#files = settleLogFiles(this.#folder);
      this.#loggedBytes -= replaced;
      this.#compactAtBytes = Math.max(bytes, this.#compactAfterBytes);
    } catch {
      // No room, or the end of the process: the logs are all there, and the next attempt takes them all.
    } finally {
      await old.close();
      this.#compaction = undefined;
    }
  }
}

function sizeOf(path: string): number {
  return statSync(path).size;
}

/** There is no room for a record. */
class FullDiskFault extends Fault {
  readonly isFull = true;
}

function writeFailure(doing: string, error: unknown, folder: string): Fault {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "ENOSPC" && code !== "EDQUOT" && code !== "EFBIG") return new Fault(doing, error);
  return new FullDiskFault(doing, `there is no room (${code}): make some in ${folder}, and writes work again; nothing is lost`);
}
