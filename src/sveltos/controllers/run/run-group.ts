import { Fault } from "../../../core/fault/index.ts";

/** Runs until its signal aborts, and ends soon after. */
export type Runnable = (signal: AbortSignal) => Promise<void>;

/**
 * Runs all until the signal aborts, and resolves when all have ended. One that fails or ends early stops the others; its
 * error is thrown after they have ended. Errors while stopping go to `onLateError`.
 */
export async function runGroup(
  runnables: Readonly<Record<string, Runnable>>,
  signal: AbortSignal,
  onLateError: (name: string, error: unknown) => void = () => {},
): Promise<void> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const run = async ([name, runnable]: [string, Runnable]): Promise<void> => {
    try {
      await runnable(stop);
      if (!stop.aborted) throw new Fault("it has ended by itself");
    } catch (error) {
      if (stop.aborted) onLateError(name, error);
      else failed.abort(new Fault(name, error));
    }
  };
  await Promise.all(Object.entries(runnables).map(run));
  if (failed.signal.aborted) throw failed.signal.reason;
}
