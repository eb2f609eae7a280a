/** A parser or an engine that gets any input. */
export type FuzzTarget = {
  /** Inputs that are mutated: what is valid, and what is almost. */
  readonly seeds: readonly string[];
  /** What its grammar consists of, for insertions and for inputs made of nothing else. */
  readonly tokens: readonly string[];
  /** Reads an input. What it throws must be an error with a name of its own. */
  readonly run: (input: string) => unknown;
};

const builtin: ReadonlySet<unknown> = new Set([Error, TypeError, RangeError, ReferenceError, SyntaxError, EvalError, URIError]);

/** Whether an error is one of those that a module throws on purpose. */
export function isNamedError(error: unknown): boolean {
  return error instanceof Error && !builtin.has(error.constructor) && error.name !== "AssertionError";
}

/** Runs a target. Gives what is wrong, if anything is. */
export async function crashOf({ run }: FuzzTarget, input: string): Promise<string | undefined> {
  try {
    await run(input);
    return undefined;
  } catch (error) {
    if (isNamedError(error)) return undefined;
    return error instanceof Error ? (error.stack ?? error.message).split("\n").slice(0, 6).join("\n") : `threw ${String(error)}`;
  }
}

/** Bytes as a string of as many characters, as targets of bytes have them. */
export function bytesOf(input: string): Uint8Array {
  return Buffer.from(input, "latin1");
}
