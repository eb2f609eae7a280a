import type { Chunk } from "../../core/exchange/index.ts";

/** A body that is written while it is read: lines or frames are buffered until the reader takes them. */
export class EventStream implements AsyncIterable<Chunk> {
  #waiting: Chunk[] = [];
  #ended = false;
  #wake: (() => void) | undefined;
  readonly #close: () => void;

  /** `close` is called once, when either side ends the stream. */
  constructor(signal: AbortSignal, close: () => void) {
    this.#close = close;
    if (signal.aborted) this.end();
    else signal.addEventListener("abort", () => this.end(), { once: true });
  }

  write(chunk: Chunk): void {
    if (this.#ended) return;
    this.#waiting.push(chunk);
    this.#wake?.();
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#close();
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Chunk> {
    try {
      while (this.#waiting.length > 0 || !this.#ended) {
        if (this.#waiting.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
        const chunks = this.#waiting;
        this.#waiting = [];
        if (chunks.length > 0) yield chunks.length === 1 ? chunks[0]! : joined(chunks);
      }
    } finally {
      this.end();
    }
  }
}

function joined(chunks: readonly Chunk[]): Chunk {
  if (chunks.every((chunk) => typeof chunk === "string")) return chunks.join("");
  return Buffer.concat(chunks.map((chunk) => (typeof chunk === "string" ? Buffer.from(chunk) : chunk)));
}
