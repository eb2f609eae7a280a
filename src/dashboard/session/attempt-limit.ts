import { LruCache } from "../../core/cache/index.ts";
import type { Clock } from "../../core/clock/index.ts";

/** How many attempts may fail in a row, and how long it takes until another one is allowed. */
const [maxFailures, recoveryMs] = [10, 6_000];
/** Of so many addresses at a time the failures are counted. */
const maxAddresses = 10_000;

type Failures = { readonly count: number; readonly atMs: number };

/** Limits attempts to sign in that fail, for each address. */
export class AttemptLimit {
  readonly #clock: Clock;
  readonly #failures = new LruCache<string, Failures>({ maxEntries: maxAddresses });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How long this address has to wait before its next attempt; 0: not at all. */
  waitMs(address: string): number {
    const count = this.#count(address);
    return count < maxFailures ? 0 : Math.ceil((count - maxFailures + 1) * recoveryMs);
  }

  addFailure(address: string): void {
    this.#failures.set(address, { count: this.#count(address) + 1, atMs: this.#clock.now() });
  }

  /** The failures that time has not made good yet. */
  #count(address: string): number {
    const { count, atMs } = this.#failures.get(address) ?? { count: 0, atMs: 0 };
    return Math.max(0, count - (this.#clock.now() - atMs) / recoveryMs);
  }
}
