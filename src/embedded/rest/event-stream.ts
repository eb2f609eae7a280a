import { jsonItems, type Chunk, type JsonLines } from "../../core/exchange/index.ts";

/** How much waits for a reader at most, in characters or bytes. */
const maxWaiting = 64 * 1024 * 1024;

/** What a value counts whose text nobody has written. */
const valueLength = 1024;

/** A line or frame, or the value of a line, whose text is written when somebody reads text. */
type StreamItem = Chunk | { readonly value: object; readonly write: () => Chunk };

/**
 * A body that is written while it is read: lines or frames are buffered until the reader takes them. A reader that lets too much
 * wait loses it, and the stream ends. Models apiserver pkg/storage/cacher/cache_watcher.go, which closes such a watch
 */
export class EventStream implements AsyncIterable<Chunk> {
  #waiting: StreamItem[] = [];
  /** The length of what waits. */
  #length = 0;
  #ended = false;
  #wake: (() => void) | undefined;
  readonly #close: () => void;

  /** `close` is called once, when either side ends the stream. */
  constructor(signal: AbortSignal, close: () => void) {
    this.#close = close;
    if (signal.aborted) this.end();
    else signal.addEventListener("abort", () => this.end(), { once: true });
  }

  write(item: StreamItem): void {
    if (this.#ended) return;
    this.#waiting.push(item);
    this.#length += isValue(item) ? valueLength : item.length;
    if (this.#length > maxWaiting) {
      this.#waiting = [];
      this.end();
    }
    this.#wake?.();
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#close();
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Chunk> {
    for await (const items of this.batches()) yield joined(items.map((item) => (isValue(item) ? item.write() : item)));
  }

  /** What has been written since the last batch. */
  async *batches(): AsyncGenerator<readonly StreamItem[]> {
    try {
      while (this.#waiting.length > 0 || !this.#ended) {
        if (this.#waiting.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
        const items = this.#waiting;
        this.#waiting = [];
        this.#length = 0;
        if (items.length > 0) yield items;
      }
    } finally {
      this.end();
    }
  }
}

/** A stream of which a caller in this process takes the values. Only values are written to it. */
export class ValueStream extends EventStream implements JsonLines {
  async *[jsonItems](): AsyncGenerator<readonly object[]> {
    for await (const items of this.batches()) yield items.filter(isValue).map(({ value }) => value);
  }
}

function isValue(item: StreamItem): item is Exclude<StreamItem, Chunk> {
  return typeof item === "object" && "value" in item;
}

function joined(chunks: readonly Chunk[]): Chunk {
  if (chunks.length === 1) return chunks[0]!;
  if (chunks.every((chunk) => typeof chunk === "string")) return chunks.join("");
  return Buffer.concat(chunks.map((chunk) => (typeof chunk === "string" ? Buffer.from(chunk) : chunk)));
}
