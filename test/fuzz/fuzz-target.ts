/** A parser or an engine that gets any input. */
export type FuzzTarget = {
  /** Inputs that are mutated: what is valid, and what is almost. */
  readonly seeds: readonly string[];
  /** What its grammar consists of, for insertions and for inputs made of nothing else. */
  readonly tokens: readonly string[];
  /** Reads an input. What it throws must be an error with a name of its own. */
  readonly run: (input: string) => unknown;
};

/** What one input may take. The time is that of the processor, which is the same on a busy machine. */
export type InputLimits = {
  readonly cpuMs: number;
  readonly memoryMiB: number;
  /** How long an input may wait for something other than the processor. */
  readonly waitMs: number;
};

export const inputLimits: InputLimits = { cpuMs: 1000, memoryMiB: 512, waitMs: 30_000 };

/** What an input has taken too much of, if anything. */
export function excessOf(limits: InputLimits, cpuMs: number, memoryMiB: number): string | undefined {
  if (memoryMiB > limits.memoryMiB) return `takes more than ${limits.memoryMiB} MiB`;
  return cpuMs > limits.cpuMs ? `takes more than ${limits.cpuMs} ms of the processor` : undefined;
}

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
