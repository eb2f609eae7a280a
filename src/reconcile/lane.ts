import { Fifo } from "./fifo.ts";

/**
 * The waiting keys of one lane, first come first served. A lane that has failed last is on probation: it runs one key
 * at a time until one succeeds, so that an unreachable cluster blocks one worker instead of its whole share.
 */
export class Lane {
  readonly #order = new Fifo<string>();
  /** The keys that still wait. Dropped keys are skipped in the order. */
  readonly #waiting = new Set<string>();
  running = 0;
  onProbation = false;
  /** The lane is queued for its turn. */
  isQueued = false;

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
