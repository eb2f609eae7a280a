import type { Item } from "../api/index.ts";
import type { ViewContext } from "../view-context.ts";

/** Publishes items as whole sets: what was in the set before and is no longer is removed. */
export class PublishedItems {
  readonly #publish: ViewContext["publish"];
  #keys: ReadonlySet<string> = new Set();

  constructor(publish: ViewContext["publish"]) {
    this.#publish = publish;
  }

  replace(items: readonly (readonly [key: string, item: Item])[]): void {
    const keys = new Set(items.map(([key]) => key));
    this.#publish({ set: items, remove: [...this.#keys.difference(keys)] });
    this.#keys = keys;
  }
}
