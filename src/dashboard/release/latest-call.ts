/** Remembers the result of the latest call, for the same arguments. */
export class LatestCall<A extends readonly unknown[], R> {
  readonly #work: (...args: A) => R;
  #last: { readonly args: A; readonly result: R } | undefined;

  constructor(work: (...args: A) => R) {
    this.#work = work;
  }

  with(...args: A): R {
    if (this.#last === undefined || !args.every((each, at) => each === this.#last?.args[at]))
      this.#last = { args, result: this.#work(...args) };
    return this.#last.result;
  }
}
