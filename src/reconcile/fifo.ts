/** First in, first out, in constant time: a Set or an array that loses its front again and again is slow. */
export class Fifo<T> {
  #items: T[] = [];
  #at = 0;

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.#at === this.#items.length) return undefined;
    const item = this.#items[this.#at++];
    // What has been taken is let go now and then, so that each item is moved once on average.
    if (this.#at * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#at);
      this.#at = 0;
    }
    return item;
  }
}
