/** A queue with constant-time operations: removing from the front of a Set or an array is slow. */
export class Fifo<T> {
  #items: T[] = [];
  #at = 0;

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.#at === this.#items.length) return undefined;
    const item = this.#items[this.#at++];
    // Removed items are dropped now and then, so each item is moved once on average.
    if (this.#at * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#at);
      this.#at = 0;
    }
    return item;
  }
}
