import { LruCache } from "../core/cache/index.ts";
import type { Clock } from "../core/clock/index.ts";

/** How long after a task has ended its worker owners are told apart. */
const alertMs = 600_000;

/**
 * What the last task of each owner has cost. While tasks end workers, those whose last one was cheap keep a worker that nobody else
 * gets: many owners who each ask for all time would otherwise have all workers by turns, and a new name is a new owner.
 */
export class OwnerCosts {
  readonly #clock: Clock;
  readonly #cheap = new LruCache<string, true>({ maxEntries: 10_000 });
  #alertUntil = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  finished(owner: string, isCheap: boolean): void {
    if (isCheap) this.#cheap.set(owner, true);
    else this.#cheap.delete(owner);
  }

  /** A task of this owner has ended its worker. */
  ended(owner: string): void {
    this.#cheap.delete(owner);
    this.#alertUntil = this.#clock.now() + alertMs;
  }

  /** Whether an owner may have the last worker. */
  mayHaveLast(owner: string): boolean {
    return this.#alertUntil <= this.#clock.now() || this.#cheap.get(owner) === true;
  }
}
