import { CelFailure } from "./failure.ts";

/** The longest text and the longest list that an expression may make. */
const largest = 1 << 22;

/** How many parts of values may be looked at, whatever that costs. */
const mostSteps = 10_000_000;

/**
 * What an evaluation has cost so far, in cel-go's units, against what it may cost. Everything that loops or grows is
 * charged before it happens, so no expression gets around it.
 */
export class Meter {
  readonly limit: number;
  cost = 0;
  #steps = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.limit) exceeded();
  }

  /**
   * Counts a look at a part of a value. Kubernetes reckons a comparison by its outermost size; a value that holds another
   * many times over must not get away with that.
   */
  step(weight = 1): void {
    this.#steps += weight;
    if (this.#steps > mostSteps) exceeded();
  }

  /** Refuses to make a text or a list of this size. Charges nothing: Kubernetes counts only what it then takes to make it. */
  admit(size: number): void {
    if (size > largest) exceeded();
  }
}

function exceeded(): never {
  throw new CelFailure("operation cancelled: actual cost limit exceeded", true);
}
