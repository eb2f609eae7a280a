import { Fault } from "../../../core/fault/index.ts";

/** Works until its signal aborts; then it ends soon. */
export type Runnable = (signal: AbortSignal) => Promise<void>;

/**
 * Runs works beside each other until the signal aborts, and resolves when all have ended. One that fails, or ends by itself,
 * stops all others; when they have ended, that is thrown. What fails while it is being stopped is told to `late`.
 */
export async function runAll(
  works: Readonly<Record<string, Runnable>>,
  signal: AbortSignal,
  late: (name: string, error: unknown) => void = () => {},
): Promise<void> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const run = async ([name, work]: [string, Runnable]): Promise<void> => {
    try {
      await work(stop);
      if (!stop.aborted) throw new Fault("it has ended by itself");
    } catch (error) {
      if (stop.aborted) late(name, error);
      else failed.abort(new Fault(name, error));
    }
  };
  await Promise.all(Object.entries(works).map(run));
  if (failed.signal.aborted) throw failed.signal.reason;
}
