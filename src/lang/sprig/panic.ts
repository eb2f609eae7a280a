import { GoError, LimitError } from "../template/index.ts";

/** The message of Go's nil pointer panic. A template sees a panic as the error of the called function. */
export const nilPointer = "runtime error: invalid memory address or nil pointer dereference";

export function panic(message: string): never {
  throw new GoError(message);
}

/** Runs `work` and turns its errors into errors of the template function. */
export function asGoError<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof GoError || cause instanceof LimitError) throw cause;
    throw new GoError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
