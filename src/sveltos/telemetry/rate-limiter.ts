import { LruCache } from "../../core/cache/index.ts";
import type { Clock } from "../../core/clock/index.ts";

/** So many at once, and one more each time `everyMs` has passed. */
export type RateLimit = { readonly burst: number; readonly refillMs: number };

/** How much is left of an allowance, for each of any number of keys; those that were not heard of for long are forgotten. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #allowance: RateLimit;
  readonly #left: LruCache<string, { tokens: number; at: number }>;

  constructor(clock: Clock, allowance: RateLimit, maxKeys: number) {
    this.#clock = clock;
    this.#allowance = allowance;
    this.#left = new LruCache({ maxEntries: maxKeys });
  }

  /** Takes one, if there is one. */
  tryAccept(key: string): boolean {
    const now = this.#clock.now();
    const { burst, refillMs } = this.#allowance;
    const { tokens, at } = this.#left.get(key) ?? { tokens: burst, at: now };
    const there = Math.min(burst, tokens + (now - at) / refillMs);
    this.#left.set(key, { tokens: there < 1 ? there : there - 1, at: now });
    return there >= 1;
  }
}
