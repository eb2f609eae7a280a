import { Fifo } from "./fifo.ts";

/**
 * The keys of one lane that wait for a worker, first come first served. A lane that failed last is on probation: it works
 * on one key at a time until something succeeds, so that a dead cluster holds one worker and not all of its share.
 */
export class Lane {
  readonly #order = new Fifo<string>();
  /** The keys of the order that still wait; dropped ones are passed over when it is their turn. */
  readonly #waiting = new Set<string>();
  running = 0;
  onProbation = false;
  /** It stands in line for its turn. */
  inLine = false;

  get depth(): number {
    return this.#waiting.size;
  }

  get isIdle(): boolean {
    return this.running === 0 && this.#waiting.size === 0;
  }

  hasRoom(limit: number): boolean {
    return this.#waiting.size > 0 && this.running < (this.onProbation ? 1 : limit);
  }

  put(key: string): void {
    this.#waiting.add(key);
    this.#order.push(key);
  }

  drop(key: string): void {
    this.#waiting.delete(key);
  }

  take(): string | undefined {
    for (let key = this.#order.shift(); key !== undefined; key = this.#order.shift()) if (this.#waiting.delete(key)) return key;
    return undefined;
  }
}
