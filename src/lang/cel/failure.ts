/** A syntax error. The message names the position, as cel-go prints it. */
export class CelSyntaxError extends Error {
  override readonly name = "CelSyntaxError";
}

/** A type error: an undeclared name, or an operator that does not take these types. */
export class CelTypeError extends Error {
  override readonly name = "CelTypeError";
}

/** An invalid constant, found when the program is built: `int('a')`. */
export class CelProgramError extends Error {
  override readonly name = "CelProgramError";
}

/** A failed evaluation, with cel-go's message. */
export class CelEvaluationError extends Error {
  override readonly name = "CelEvaluationError";
}

/**
 * The failure of an evaluation. It is not an Error: logical operators catch failures routinely, and recording a stack would cost
 * more than the rest of a rule.
 */
export class CelFailure {
  readonly message: string;
  /** A limit was exceeded. No operator may absorb this failure. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal = false) {
    this.message = message;
    this.isFinal = isFinal;
  }
}

export function fail(message: string): never {
  throw new CelFailure(message);
}

export function noSuchOverload(): never {
  return fail("no such overload");
}
