import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, openSync, writeSync } from "node:fs";

/** The calls to the system that can fail on a disk that is full or broken. */
export type FileCalls = {
  readonly writeSync: (handle: number, bytes: Buffer, from: number, length: number, position: number) => number;
  readonly ftruncateSync: (handle: number, length: number) => void;
  readonly fdatasync: (handle: number, done: (error: Error | null) => void) => void;
  readonly fdatasyncSync: (handle: number) => void;
};

export const systemCalls: FileCalls = { writeSync, ftruncateSync, fdatasync, fdatasyncSync };

/** A new file that only grows. What is appended is in the hands of the operating system when `append` returns. */
export class AppendFile {
  readonly #handle: number;
  readonly #calls: FileCalls;
  #length = 0;
  #syncedLength = 0;
  /** A part of a record is behind the last whole one. */
  #isTorn = false;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /** Throws EEXIST when the file exists. */
  constructor(path: string, calls: FileCalls) {
    this.#handle = openSync(path, "wx", 0o600);
    this.#calls = calls;
  }

  get length(): number {
    return this.#length;
  }

  /** Appends all of it or nothing. */
  append(bytes: Buffer): void {
    if (this.#isTorn) this.#cutBack();
    try {
      for (let written = 0; written < bytes.length;)
        written += this.#calls.writeSync(this.#handle, bytes, written, bytes.length - written, this.#length + written);
    } catch (error) {
      this.#isTorn = true;
      try {
        this.#cutBack();
      } catch {
        // It is tried again before the next record, which fails if it fails again.
      }
      throw error;
    }
    this.#length += bytes.length;
  }

  /** Resolves when all that was appended is on the disk. One call to the disk serves all that wait for it. */
  sync(): Promise<void> | undefined {
    if (this.#syncedLength === this.#length) return undefined;
    this.#next ??= this.#syncAfter(this.#running);
    return this.#next;
  }

  /** The same, at once. */
  syncNow(): void {
    this.#calls.fdatasyncSync(this.#handle);
    this.#syncedLength = this.#length;
  }

  async close(): Promise<void> {
    await (this.#next ?? this.#running)?.catch(() => undefined);
    closeSync(this.#handle);
  }

  async #syncAfter(before: Promise<void> | undefined): Promise<void> {
    // Records that come in while the disk is busy join this turn.
    await before;
    const turn = this.#next;
    const length = this.#length;
    this.#running = turn;
    this.#next = undefined;
    await new Promise<void>((resolve, reject) =>
      this.#calls.fdatasync(this.#handle, (error) => (error === null ? resolve() : reject(error))),
    );
    this.#syncedLength = Math.max(this.#syncedLength, length);
    if (this.#running === turn) this.#running = undefined;
  }

  #cutBack(): void {
    this.#calls.ftruncateSync(this.#handle, this.#length);
    this.#isTorn = false;
  }
}
