/** Delivers items to any number of subscribers, each of which reads at its own pace. */
export class Broadcaster<T> {
  readonly #subscribers = new Set<Subscriber<T>>();

  broadcast(items: readonly T[]): void {
    for (const subscriber of this.#subscribers) subscriber.push(items);
  }

  /** Yields the `initial` items, then every item that is broadcast, until the reader stops or the signal aborts. */
  subscribe(initial: readonly T[], signal: AbortSignal): AsyncIterable<T> {
    const subscriber = new Subscriber<T>();
    subscriber.push(initial);
    this.#subscribers.add(subscriber);
    const unsubscribe = () => {
      this.#subscribers.delete(subscriber);
      subscriber.end();
    };
    if (signal.aborted) unsubscribe();
    else signal.addEventListener("abort", unsubscribe, { once: true });
    return subscriber.items(() => {
      signal.removeEventListener("abort", unsubscribe);
      unsubscribe();
    });
  }
}

class Subscriber<T> {
  #pending: T[] = [];
  #ended = false;
  #wake: () => void = () => {};

  push(items: readonly T[]): void {
    for (const item of items) this.#pending.push(item);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *items(onEnd: () => void): AsyncGenerator<T> {
    try {
      for (;;) {
        const items = this.#pending;
        this.#pending = [];
        for (const item of items) yield item;
        if (this.#pending.length > 0) continue;
        if (this.#ended) return;
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      onEnd();
    }
  }
}
