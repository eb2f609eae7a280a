import type { Change } from "./store.ts";

/** How many changes of one resource are remembered; a watch that asks for older ones is told that they are gone. */
const remembered = 5000;

/** The last changes of one resource, oldest first. */
export class History {
  #changes: Change[] = [];
  /** Changes up to this revision are forgotten. */
  #forgotten: number;

  constructor(forgotten: number) {
    this.#forgotten = forgotten;
  }

  get oldest(): number {
    return this.#changes[0]?.revision ?? this.#forgotten;
  }

  add(change: Change): void {
    this.#changes.push(change);
    if (this.#changes.length < 2 * remembered) return;
    this.#forgotten = this.#changes[remembered - 1]!.revision;
    this.#changes = this.#changes.slice(remembered);
  }

  since(revision: number): readonly Change[] | undefined {
    if (revision < this.#forgotten) return undefined;
    let from = this.#changes.length;
    while (from > 0 && this.#changes[from - 1]!.revision > revision) from--;
    return this.#changes.slice(from);
  }
}
