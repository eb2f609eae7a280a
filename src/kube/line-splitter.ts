import type { Chunk } from "../core/exchange/index.ts";
import { bytesOf, decodeChunks } from "./body.ts";

const newline = 0x0a;

/**
 * Splits a stream into lines. Chunks are text or bytes and may end inside a line or a character. Bytes are decoded one
 * line at a time, and an incomplete line is not copied repeatedly.
 */
export class LineSplitter {
  #rest: Chunk[] = [];

  /** The lines that `chunk` completes, without newlines. */
  push(chunk: Chunk): string[] {
    return typeof chunk === "string" ? this.#pushText(chunk) : this.#pushBytes(bytesOf(chunk));
  }

  /** The text after the last newline. */
  end(): string {
    return this.#take();
  }

  #pushText(chunk: string): string[] {
    let end = chunk.indexOf("\n");
    if (end < 0) return this.#keep(chunk);
    const lines = [this.#rest.length === 0 ? chunk.slice(0, end) : this.#take(chunk.slice(0, end))];
    let start = end + 1;
    for (end = chunk.indexOf("\n", start); end >= 0; end = chunk.indexOf("\n", start)) {
      lines.push(chunk.slice(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#rest.push(chunk.slice(start));
    return lines;
  }

  #pushBytes(chunk: Buffer): string[] {
    let end = chunk.indexOf(newline);
    if (end < 0) return this.#keep(chunk);
    const lines = [this.#rest.length === 0 ? chunk.toString("utf8", 0, end) : this.#take(chunk.subarray(0, end))];
    let start = end + 1;
    for (end = chunk.indexOf(newline, start); end >= 0; end = chunk.indexOf(newline, start)) {
      lines.push(chunk.toString("utf8", start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#rest.push(chunk.subarray(start));
    return lines;
  }

  #keep(chunk: Chunk): string[] {
    if (chunk.length > 0) this.#rest.push(chunk);
    return [];
  }

  #take(...last: Chunk[]): string {
    const chunks = [...this.#rest, ...last];
    this.#rest = [];
    return decodeChunks(chunks);
  }
}
