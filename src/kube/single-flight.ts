/** Deduplicates concurrent calls of the same work. Models golang.org/x/sync/singleflight */
export class SingleFlight<T> {
  #running: Promise<T> | undefined;
  #next: Promise<T> | undefined;

  get idle(): boolean {
    return this.#running === undefined;
  }

  /**
   * Returns the result of a run that starts after this call. While one is in flight, callers share the one after it.
   * With `join`, they share the one in flight.
   */
  run(work: () => Promise<T>, { join = false }: { join?: boolean } = {}): Promise<T> {
    if (this.#running === undefined) return this.#start(work);
    if (join) return this.#running;
    this.#next ??= this.#running.then(
      () => this.#start(work),
      () => this.#start(work),
    );
    return this.#next;
  }

  #start(work: () => Promise<T>): Promise<T> {
    this.#next = undefined;
    const running = work().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}
