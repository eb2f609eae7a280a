type Waiter<T> = { resolve: (result: IteratorResult<T>) => void; reject: (error: unknown) => void };

/** One reader of a shared stream. Its unread items are buffered without limit, so that it does not block the others. */
export class Subscription<T> implements AsyncIterableIterator<T> {
  #waiting: T[] = [];
  #at = 0;
  #waiter: Waiter<T> | undefined;
  #end: { error?: unknown } | undefined;
  readonly #left: () => void;

  /** `left` is called when the reader stops by itself. */
  constructor(left: () => void) {
    this.#left = left;
  }

  push(items: readonly T[]): void {
    for (const item of items) {
      const waiter = this.#waiter;
      this.#waiter = undefined;
      if (waiter === undefined) this.#waiting.push(item);
      else waiter.resolve({ value: item, done: false });
    }
  }

  /** Ends the stream after the buffered items. */
  end(error?: unknown): void {
    this.#end ??= error === undefined ? {} : { error };
    if (this.#waiter === undefined) return;
    if (error === undefined) this.#waiter.resolve({ value: undefined, done: true });
    else this.#waiter.reject(error);
    this.#waiter = undefined;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<T>> {
    if (this.#at < this.#waiting.length) return Promise.resolve({ value: this.#take(), done: false });
    if (this.#end === undefined) return new Promise((resolve, reject) => (this.#waiter = { resolve, reject }));
    return "error" in this.#end ? Promise.reject(this.#end.error) : Promise.resolve({ value: undefined, done: true });
  }

  return(): Promise<IteratorResult<T>> {
    this.#waiting = [];
    this.#at = 0;
    this.end();
    this.#left();
    return Promise.resolve({ value: undefined, done: true });
  }

  /** Takes the first item without moving the others each time. */
  #take(): T {
    const item = this.#waiting[this.#at++]!;
    if (this.#at === this.#waiting.length) {
      this.#waiting = [];
      this.#at = 0;
    }
    return item;
  }
}
