import type { Chunk } from "../core/exchange/index.ts";
import { bytesOf, decodeChunks } from "./body.ts";

const newline = 0x0a;

/**
 * Splits a stream into lines. Chunks are text or bytes and may end inside a line or a character. Bytes are decoded one
 * line at a time, and an incomplete line is not copied repeatedly. What a line has beyond `maxLength` bytes (or characters
 * of text) is not kept, and its end says how much that was.
 */
export class LineSplitter {
  readonly #maxLength: number;
  #rest: Chunk[] = [];
  #restLength = 0;

  constructor(maxLength = Infinity) {
    this.#maxLength = maxLength;
  }

  /** The lines that `chunk` completes, without newlines. */
  push(chunk: Chunk): string[] {
    return typeof chunk === "string" ? this.#pushText(chunk) : this.#pushBytes(bytesOf(chunk));
  }

  /** How long the line is that has not ended. */
  get unfinishedLength(): number {
    return this.#restLength;
  }

  /** The text after the last newline. */
  end(): string {
    return this.#take("");
  }

  #pushText(chunk: string): string[] {
    let end = chunk.indexOf("\n");
    if (end < 0) return this.#keep(chunk);
    const lines = [this.#take(chunk.slice(0, end))];
    let start = end + 1;
    for (end = chunk.indexOf("\n", start); end >= 0; end = chunk.indexOf("\n", start)) {
      lines.push(this.#cut(chunk.slice(start, Math.min(end, start + this.#maxLength)), end - start));
      start = end + 1;
    }
    this.#keep(chunk.slice(start));
    return lines;
  }

  #pushBytes(chunk: Buffer): string[] {
    let end = chunk.indexOf(newline);
    if (end < 0) return this.#keep(chunk);
    const lines = [this.#take(chunk.subarray(0, end))];
    let start = end + 1;
    for (end = chunk.indexOf(newline, start); end >= 0; end = chunk.indexOf(newline, start)) {
      lines.push(this.#cut(chunk.toString("utf8", start, Math.min(end, start + this.#maxLength)), end - start));
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return lines;
  }

  #keep(chunk: Chunk): string[] {
    const room = this.#maxLength - this.#restLength;
    this.#restLength += chunk.length;
    if (chunk.length > 0 && room > 0) this.#rest.push(room < chunk.length ? chunk.slice(0, room) : chunk);
    return [];
  }

  /** The line that `last` ends. */
  #take(last: Chunk): string {
    this.#keep(last);
    const [chunks, length] = [this.#rest, this.#restLength];
    this.#rest = [];
    this.#restLength = 0;
    return this.#cut(decodeChunks(chunks), length);
  }

  #cut(text: string, length: number): string {
    return length > this.#maxLength ? `${text}… (${length - this.#maxLength} more bytes)` : text;
  }
}
