/** A body that is written while it is read: lines are buffered until the reader takes them. */
export class EventStream implements AsyncIterable<string> {
  #waiting: string[] = [];
  #ended = false;
  #wake: (() => void) | undefined;
  readonly #close: () => void;

  /** `close` is called once, when either side ends the stream. */
  constructor(signal: AbortSignal, close: () => void) {
    this.#close = close;
    if (signal.aborted) this.end();
    else signal.addEventListener("abort", () => this.end(), { once: true });
  }

  write(line: string): void {
    if (this.#ended) return;
    this.#waiting.push(line);
    this.#wake?.();
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#close();
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    try {
      while (this.#waiting.length > 0 || !this.#ended) {
        if (this.#waiting.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
        const lines = this.#waiting;
        this.#waiting = [];
        if (lines.length > 0) yield lines.length === 1 ? lines[0]! : lines.join("");
      }
    } finally {
      this.end();
    }
  }
}
