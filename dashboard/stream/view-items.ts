import { signal, type ReadonlySignal } from "@preact/signals";
import type { Item, Notice, StreamMessage } from "../../src/dashboard/api/index.ts";

/** The items of a view as the page has them. `version` changes with every change, so that whoever reads it is drawn again. */
export class ViewItems {
  readonly #items = new Map<string, Item>();
  readonly #version = signal(0);
  readonly #notices = signal<readonly Notice[]>([]);
  readonly #isComplete = signal(false);
  #isResetting = false;

  get version(): ReadonlySignal<number> {
    return this.#version;
  }

  get notices(): ReadonlySignal<readonly Notice[]> {
    return this.#notices;
  }

  /** Whether all items have arrived once. */
  get isComplete(): ReadonlySignal<boolean> {
    return this.#isComplete;
  }

  /** The items by key. Read `version` too, to learn of changes. */
  get items(): ReadonlyMap<string, Item> {
    return this.#items;
  }

  /** All items of a type, in the order of their arrival. Whoever calls it while drawing is drawn again after a change. */
  ofType<T extends Item>(type: T["type"]): readonly T[] {
    void this.#version.value;
    return [...this.#items.values()].filter((item): item is T => item.type === type);
  }

  /** Takes in a message about this view. */
  take(message: StreamMessage): void {
    if (message.type === "notices") {
      this.#notices.value = message.notices;
      return;
    }
    if (message.type === "reset") {
      if (!this.#isResetting) this.#items.clear();
      this.#isResetting = message.more === true;
      for (const [key, item] of message.items) this.#items.set(key, item);
      if (!this.#isResetting) this.#isComplete.value = true;
    } else {
      for (const key of message.remove ?? []) this.#items.delete(key);
      for (const [key, item] of message.set ?? []) this.#items.set(key, item);
    }
    this.#version.value++;
  }
}
