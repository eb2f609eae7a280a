import { watch, type FSWatcher } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { createSecureContext } from "node:tls";
import type { Clock } from "../core/clock/index.ts";
import { Fault } from "../core/fault/index.ts";

/** A certificate and its key, in PEM. */
type CertificatePair = { readonly cert: string; readonly key: string };

type CertificateFileOptions = {
  readonly cert: string;
  readonly key: string;
  readonly clock: Clock;
  /** Receives why files that have changed are not used. */
  readonly onProblem: (problem: string) => void;
};

/** Files are written one after the other: both are read when nothing has changed for this long. */
const settleMs = 200;

/**
 * The certificate of a server and its key, in files that may be replaced at any time, such as those of a mounted Secret. Files
 * that do not fit are not taken: the server goes on with what it has.
 */
export class CertificateFiles {
  readonly #options: CertificateFileOptions;
  readonly #watchers: readonly FSWatcher[];
  #current: CertificatePair;
  #listener: (pair: CertificatePair) => void = () => undefined;
  #cancel: (() => void) | undefined;

  private constructor(options: CertificateFileOptions, current: CertificatePair) {
    this.#options = options;
    this.#current = current;
    // The folders are watched: a Secret is replaced by another link beside the files.
    const folders = new Set([dirname(options.cert), dirname(options.key)]);
    this.#watchers = [...folders].map((folder) => watch(folder, { persistent: false }, () => this.#schedule()));
  }

  /** Reads both files. Rejects when they are no pair. */
  static async open(options: CertificateFileOptions): Promise<CertificateFiles> {
    return new CertificateFiles(options, await readPair(options));
  }

  get current(): CertificatePair {
    return this.#current;
  }

  /** Calls back with every pair that replaces the current one. */
  onChange(listener: (pair: CertificatePair) => void): void {
    this.#listener = listener;
  }

  close(): void {
    this.#cancel?.();
    for (const watcher of this.#watchers) watcher.close();
  }

  #schedule(): void {
    this.#cancel?.();
    this.#cancel = this.#options.clock.after(settleMs, () => void this.#reload(), { background: true });
  }

  async #reload(): Promise<void> {
    try {
      const pair = await readPair(this.#options);
      if (pair.cert === this.#current.cert && pair.key === this.#current.key) return;
      this.#current = pair;
      this.#listener(pair);
    } catch (error) {
      this.#options.onProblem(`${error instanceof Error ? error.message : String(error)}; the certificate before it stays in use`);
    }
  }
}

async function readPair({ cert, key }: Pick<CertificateFileOptions, "cert" | "key">): Promise<CertificatePair> {
  try {
    const pair = { cert: await readFile(cert, "utf8"), key: await readFile(key, "utf8") };
    createSecureContext(pair);
    return pair;
  } catch (cause) {
    throw new Fault(`read the certificate ${cert} and its key ${key}`, cause, { final: true });
  }
}
