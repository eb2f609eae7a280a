import { LruCache } from "../../core/cache/index.ts";
import type { Clock } from "../../core/clock/index.ts";

/** A token bucket: `burst` at once, and one more token every `refillMs`. */
type RateLimit = { readonly burst: number; readonly refillMs: number };

/** A token bucket for each key. The keys that were not used for longest are forgotten. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #limit: RateLimit;
  readonly #buckets: LruCache<string, { tokens: number; at: number }>;

  constructor(clock: Clock, limit: RateLimit, maxKeys: number) {
    this.#clock = clock;
    this.#limit = limit;
    this.#buckets = new LruCache({ maxEntries: maxKeys });
  }

  /** Takes a token, if there is one. */
  tryAccept(key: string): boolean {
    const now = this.#clock.now();
    const { burst, refillMs } = this.#limit;
    const { tokens, at } = this.#buckets.get(key) ?? { tokens: burst, at: now };
    const available = Math.min(burst, tokens + (now - at) / refillMs);
    this.#buckets.set(key, { tokens: available < 1 ? available : available - 1, at: now });
    return available >= 1;
  }
}
