import { GoError } from "../template/index.ts";

/** What Go says when a program of its own goes wrong; a template sees it as the error of the function that was called. */
export const nilPointer = "runtime error: invalid memory address or nil pointer dereference";

export function panic(message: string): never {
  throw new GoError(message);
}

/** Runs `work`; an error that it throws becomes the error of the template function. */
export function asGoError<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof GoError) throw cause;
    throw new GoError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
