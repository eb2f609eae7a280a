import { Fault } from "../../core/fault/index.ts";

/** Something that can be told that its time is up. */
export type Cancellable = { readonly cancel: (why?: string) => void };

/** Work on one step that ends when it is given up, with what it waited for last. */
export class StepRun implements Cancellable {
  readonly #all: AbortSignal;
  readonly #stop = new AbortController();
  #because = "";

  constructor(all: AbortSignal) {
    this.#all = all;
  }

  /** Aborts when the deed is given up, and while it goes on with all others. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Notes why the work cannot go on yet. */
  waiting(because: string): void {
    this.#because = because;
  }

  cancel(why = "given up"): void {
    this.#stop.abort(new Fault(this.#because === "" ? why : `${why}: ${this.#because}`));
  }

  /** Does not wait for work that takes no notice of the signal. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    const all = this.#all;
    // By hand: a signal made of two costs more than all else here, and there is one for each step.
    const stop = () => this.#stop.abort(all.reason);
    const end = () => reject(this.signal.reason);
    if (all.aborted) stop();
    if (this.signal.aborted) end();
    all.addEventListener("abort", stop, { once: true });
    this.signal.addEventListener("abort", end, { once: true });
    try {
      return await Promise.race([work(), promise]);
    } finally {
      all.removeEventListener("abort", stop);
      this.signal.removeEventListener("abort", end);
    }
  }
}
