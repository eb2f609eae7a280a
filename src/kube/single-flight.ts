/** Runs a piece of work for several askers at once. */
export class SingleFlight<T> {
  #running: Promise<T> | undefined;
  #next: Promise<T> | undefined;

  get idle(): boolean {
    return this.#running === undefined;
  }

  /**
   * The result of a run that began after this was called: while one is running, the askers that come share the one
   * that follows it. With `join`, the one that is running will do.
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
