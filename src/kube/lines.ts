import type { Chunk } from "../core/exchange/index.ts";
import { bytesOf, textOf } from "./body.ts";

const newline = 0x0a;

/**
 * Cuts a stream into lines. Pieces may be text or bytes and end inside a line or a character: bytes are decoded a
 * whole line at a time, and what is left over waits for its end without being copied again and again.
 */
export class Lines {
  #rest: Chunk[] = [];

  /** The lines that `piece` completes, without their newlines. */
  push(piece: Chunk): string[] {
    return typeof piece === "string" ? this.#pushText(piece) : this.#pushBytes(bytesOf(piece));
  }

  /** What came after the last newline. */
  end(): string {
    return this.#take();
  }

  #pushText(piece: string): string[] {
    let end = piece.indexOf("\n");
    if (end < 0) return this.#keep(piece);
    const lines = [this.#rest.length === 0 ? piece.slice(0, end) : this.#take(piece.slice(0, end))];
    let start = end + 1;
    for (end = piece.indexOf("\n", start); end >= 0; end = piece.indexOf("\n", start)) {
      lines.push(piece.slice(start, end));
      start = end + 1;
    }
    if (start < piece.length) this.#rest.push(piece.slice(start));
    return lines;
  }

  #pushBytes(piece: Buffer): string[] {
    let end = piece.indexOf(newline);
    if (end < 0) return this.#keep(piece);
    const lines = [this.#rest.length === 0 ? piece.toString("utf8", 0, end) : this.#take(piece.subarray(0, end))];
    let start = end + 1;
    for (end = piece.indexOf(newline, start); end >= 0; end = piece.indexOf(newline, start)) {
      lines.push(piece.toString("utf8", start, end));
      start = end + 1;
    }
    if (start < piece.length) this.#rest.push(piece.subarray(start));
    return lines;
  }

  #keep(piece: Chunk): string[] {
    if (piece.length > 0) this.#rest.push(piece);
    return [];
  }

  #take(...last: Chunk[]): string {
    const pieces = [...this.#rest, ...last];
    this.#rest = [];
    return textOf(pieces);
  }
}
