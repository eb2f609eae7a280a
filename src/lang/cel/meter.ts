import { CelFailure } from "./failure.ts";

/** The longest string or list that an expression may build. */
const largest = 1 << 22;

/** How many parts of values an evaluation may visit, at any cost. */
const mostSteps = 10_000_000;

/** Tracks the cost of an evaluation, in cel-go's units, against its limit. Everything that loops or grows is charged before it happens. */
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
   * Counts a visit to a part of a value. Kubernetes charges a comparison by its outermost size, so this bounds values that share
   * parts many times.
   */
  step(weight = 1): void {
    this.#steps += weight;
    if (this.#steps > mostSteps) exceeded();
  }

  /**
   * Rejects a string or list of this size, or one more than fit into memory. It costs nothing: Kubernetes charges the operation
   * instead.
   */
  admit(size: number): void {
    if (size > largest) exceeded();
    this.step(size >> 4);
  }

  /** Counts a visit to the whole of a text or of bytes, as native code reads them. */
  read(value: unknown): void {
    if ((typeof value === "string" || value instanceof Uint8Array) && value.length > 32) this.step(value.length >> 5);
  }
}

function exceeded(): never {
  throw new CelFailure("operation cancelled: actual cost limit exceeded", true);
}
