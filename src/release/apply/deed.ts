import { Fault } from "../../fault/index.ts";

/** Something that can be told that its time is up. */
export type Patient = { readonly giveUp: (why?: string) => void };

/** Work on one step that ends when it is given up, with what it waited for last. */
export class Deed implements Patient {
  readonly signal: AbortSignal;
  readonly #stop = new AbortController();
  #because = "";

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#stop.signal]);
  }

  /** Notes why the work cannot go on yet. */
  waiting(because: string): void {
    this.#because = because;
  }

  giveUp(why = "given up"): void {
    this.#stop.abort(new Fault(this.#because === "" ? why : `${why}: ${this.#because}`));
  }

  /** Does not wait for work that takes no notice of the signal. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    const abort = () => reject(this.signal.reason);
    if (this.signal.aborted) abort();
    this.signal.addEventListener("abort", abort, { once: true });
    try {
      return await Promise.race([work(), promise]);
    } finally {
      this.signal.removeEventListener("abort", abort);
    }
  }
}
