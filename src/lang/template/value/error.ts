/**
 * An error that a Go function returns, or what it panics with: a template sees no difference. A function that throws
 * one stops the execution with `error calling NAME: MESSAGE`. Anything else that is thrown is taken for a fault of the
 * program and goes through as it is.
 */
export class GoError extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = "GoError";
  }
}
