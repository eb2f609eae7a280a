/**
 * An error that a Go function returns or panics with, which is the same for a template. It stops the execution with `error
 * calling NAME: MESSAGE`. Any other exception is a bug and passes through.
 */
export class GoError extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = "GoError";
  }
}
