import { Fault } from "../../core/fault/index.ts";

/** Something that can be cancelled with a reason. */
export type Cancellable = { readonly cancel: (why?: string) => void };

/** One run of a step. Cancelling it rejects with the last reason it waited for. */
export class StepRun implements Cancellable {
  readonly #all: AbortSignal;
  readonly #stop = new AbortController();
  #because = "";

  constructor(all: AbortSignal) {
    this.#all = all;
  }

  /** Aborts when this step or the whole run is cancelled. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Notes why the step cannot go on yet. */
  waiting(because: string): void {
    this.#because = because;
  }

  cancel(why = "given up"): void {
    this.#stop.abort(new Fault(this.#because === "" ? why : `${why}: ${this.#because}`));
  }

  /** Rejects on abort even when the work ignores the signal. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    const all = this.#all;
    // By hand: AbortSignal.any costs more than all the rest here, and every step needs one.
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
