/** Readers of one stream of news, each at its own pace. */
export class Audience<T> {
  readonly #readers = new Set<Reader<T>>();

  tell(news: readonly T[]): void {
    for (const reader of this.#readers) reader.push(news);
  }

  /** A reader that is first told `beginning`, then all that is told, until it leaves or the signal aborts. */
  listen(beginning: readonly T[], signal: AbortSignal): AsyncIterable<T> {
    const reader = new Reader<T>();
    reader.push(beginning);
    this.#readers.add(reader);
    const leave = () => {
      this.#readers.delete(reader);
      reader.end();
    };
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    return reader.read(() => {
      signal.removeEventListener("abort", leave);
      leave();
    });
  }
}

class Reader<T> {
  #waiting: T[] = [];
  #ended = false;
  #wake: () => void = () => {};

  push(news: readonly T[]): void {
    for (const item of news) this.#waiting.push(item);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *read(left: () => void): AsyncGenerator<T> {
    try {
      for (;;) {
        const news = this.#waiting;
        this.#waiting = [];
        for (const item of news) yield item;
        if (this.#waiting.length > 0) continue;
        if (this.#ended) return;
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      left();
    }
  }
}
