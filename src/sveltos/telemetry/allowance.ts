import type { Clock } from "../../core/clock/index.ts";

/** So many at once, and one more each time `everyMs` has passed. */
export type Allowance = { readonly burst: number; readonly everyMs: number };

/** How much is left of an allowance, for each of any number of keys; those that were not heard of for long are forgotten. */
export class Allowances {
  readonly #clock: Clock;
  readonly #allowance: Allowance;
  readonly #mostKeys: number;
  readonly #left = new Map<string, { tokens: number; at: number }>();

  constructor(clock: Clock, allowance: Allowance, mostKeys: number) {
    this.#clock = clock;
    this.#allowance = allowance;
    this.#mostKeys = mostKeys;
  }

  /** Takes one, if there is one. */
  take(key: string): boolean {
    const now = this.#clock.now();
    const { burst, everyMs } = this.#allowance;
    const { tokens, at } = this.#left.get(key) ?? { tokens: burst, at: now };
    const there = Math.min(burst, tokens + (now - at) / everyMs);
    this.#left.delete(key);
    this.#left.set(key, { tokens: there < 1 ? there : there - 1, at: now });
    const [oldest] = this.#left.keys();
    if (oldest !== undefined && this.#left.size > this.#mostKeys) this.#left.delete(oldest);
    return there >= 1;
  }
}
