/**
 * The keys of one lane that wait for a worker, first come first served. A lane that failed last is on probation: it works
 * on one key at a time until something succeeds, so that a dead cluster holds one worker and not all of its share.
 */
export class Lane {
  readonly #waiting = new Set<string>();
  running = 0;
  onProbation = false;

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
  }

  drop(key: string): void {
    this.#waiting.delete(key);
  }

  take(): string | undefined {
    for (const key of this.#waiting) {
      this.#waiting.delete(key);
      return key;
    }
    return undefined;
  }
}
