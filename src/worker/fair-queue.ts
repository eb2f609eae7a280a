/** Waiting items of several owners, who take turns: one with a thousand of them delays nobody by more than one. */
export class FairQueue<T> {
  /** The owner whose turn is next comes first. */
  readonly #waiting = new Map<string, T[]>();

  push(owner: string, item: T): void {
    const items = this.#waiting.get(owner);
    if (items === undefined) this.#waiting.set(owner, [item]);
    else items.push(item);
  }

  /** Takes the oldest item of the next owner who may have one. */
  take(may: (owner: string) => boolean): T | undefined {
    for (const [owner, items] of this.#waiting) {
      if (!may(owner)) continue;
      const item = items.shift();
      this.#waiting.delete(owner);
      if (items.length > 0) this.#waiting.set(owner, items);
      return item;
    }
    return undefined;
  }

  /** Takes all items of an owner. */
  takeAll(owner: string): readonly T[] {
    const items = this.#waiting.get(owner) ?? [];
    this.#waiting.delete(owner);
    return items;
  }

  remove(owner: string, item: T): void {
    const items = this.#waiting.get(owner) ?? [];
    const left = items.filter((each) => each !== item);
    if (left.length === 0) this.#waiting.delete(owner);
    else if (left.length < items.length) this.#waiting.set(owner, left);
  }
}
