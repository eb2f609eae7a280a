/** An expression that cannot be read. The message names the place, as cel-go prints it. */
export class CelSyntaxError extends Error {
  override readonly name = "CelSyntaxError";
}

/** An expression that can be read and makes no sense: an unknown name, an operator that does not take these types. */
export class CelTypeError extends Error {
  override readonly name = "CelTypeError";
}

/** An expression that is wrong in its constants, found when it is prepared: `int('a')`. */
export class CelProgramError extends Error {
  override readonly name = "CelProgramError";
}

/** An evaluation that went wrong, in cel-go's words. */
export class CelEvaluationError extends Error {
  override readonly name = "CelEvaluationError";
}

/**
 * What is thrown inside of an evaluation. Not an Error: logical operators catch these as a matter of course, and
 * recording a stack would cost more than the rest of a rule.
 */
export class CelFailure {
  readonly message: string;
  /** A limit was reached: no operator may absorb it. */
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
