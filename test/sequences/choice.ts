import { seededRandom } from "../../src/embedded/seeded-random.ts";

/** A source of random decisions. The same seed decides the same. */
export class Choice {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  /** True once in `among` times. */
  once(among: number): boolean {
    return this.below(among) === 0;
  }

  of<T>(...values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  /** Some of the fields. */
  some<T>(fields: Readonly<Record<string, T>>): Record<string, T> {
    return Object.fromEntries(Object.entries(fields).filter(() => !this.once(3)));
  }
}
