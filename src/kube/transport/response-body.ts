import type { Readable } from "node:stream";
import { answerTooLarge } from "../answer-limit.ts";
import { readWhole } from "../body.ts";

/** The most that is read as a whole, and the server for the message. */
export type AnswerLimit = { readonly server: string; readonly maxBytes: number };

type Waiter = { resolve: (result: IteratorResult<Buffer>) => void; reject: (error: unknown) => void };

/** How many chunks are buffered before the stream is paused. */
const maxBufferedChunks = 16;
const done: IteratorResult<Buffer> = { value: undefined, done: true };

/**
 * A response body from the network. It is iterated with back-pressure, or read as a whole. One object with four
 * listeners, because a request takes only microseconds. `lost` returns an error at the end when the body is incomplete. Read as a
 * whole, it has at most `maxBytes`.
 */
export class ResponseBody implements AsyncIterableIterator<Buffer> {
  readonly #stream: Readable;
  readonly #lost: () => unknown;
  #chunks: Buffer[] = [];
  #waiter: Waiter | undefined;
  #gathering = false;
  #ended = false;
  #error: unknown;
  #gathered = 0;
  readonly #limit: AnswerLimit;

  constructor(stream: Readable, lost: () => unknown, limit: AnswerLimit) {
    this.#stream = stream;
    this.#lost = lost;
    this.#limit = limit;
    stream.on("data", (chunk: Buffer) => this.#push(chunk));
    stream.on("end", () => this.#end(undefined));
    stream.on("error", (error) => this.#end(error));
    stream.on("close", () => this.#end(undefined));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Buffer>> {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) {
      if (this.#chunks.length === 0 && this.#stream.isPaused()) this.#stream.resume();
      return Promise.resolve({ value: chunk, done: false });
    }
    if (this.#error !== undefined) return Promise.reject(this.#error);
    if (this.#ended) return Promise.resolve(done);
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
    });
  }

  /** Discards the rest when the reader stops early. */
  return(): Promise<IteratorResult<Buffer>> {
    this.#ended = true;
    this.#chunks = [];
    this.#stream.destroy();
    return Promise.resolve(done);
  }

  [readWhole](): Promise<Buffer> {
    this.#gathering = true;
    this.#weigh(this.#chunks);
    if (this.#stream.isPaused()) this.#stream.resume();
    return new Promise((resolve, reject) => {
      const settle = () => {
        const chunks = this.#chunks;
        resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
      };
      if (this.#error !== undefined) return reject(this.#error);
      if (this.#ended) return settle();
      this.#waiter = { resolve: settle, reject };
    });
  }

  #push(chunk: Buffer): void {
    if (this.#ended) return;
    const waiter = this.#waiter;
    if (waiter === undefined || this.#gathering) {
      this.#chunks.push(chunk);
      if (this.#gathering) this.#weigh([chunk]);
      if (!this.#gathering && this.#chunks.length >= maxBufferedChunks) this.#stream.pause();
      return;
    }
    this.#waiter = undefined;
    waiter.resolve({ value: chunk, done: false });
  }

  /** Ends the stream when more is gathered than may be. */
  #weigh(chunks: readonly Buffer[]): void {
    for (const chunk of chunks) this.#gathered += chunk.length;
    if (this.#gathered <= this.#limit.maxBytes) return;
    this.#chunks = [];
    this.#end(undefined, answerTooLarge(this.#limit.server, this.#limit.maxBytes));
    this.#stream.destroy();
  }

  #end(error: unknown, refusal?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = refusal ?? this.#lost() ?? error;
    const waiter = this.#waiter;
    this.#waiter = undefined;
    if (waiter === undefined) return;
    if (this.#error === undefined) waiter.resolve(done);
    else waiter.reject(this.#error);
  }
}
