import { Fault } from "../core/fault/index.ts";

/** The process was interrupted by SIGINT or SIGTERM before it had a result. */
export class Interrupted extends Fault {}

/** Runs the work of a command and keeps its exit code. */
export type RunCommand = (work: (signal: AbortSignal) => Promise<number>) => Promise<void>;

/** Runs `work` with a signal that SIGINT and SIGTERM abort. A second one ends the process at once. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const onSignal = () => {
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  try {
    return await work(stop.signal);
  } catch (error) {
    throw stop.signal.aborted ? new Interrupted("interrupted", undefined, { final: true }) : error;
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
}
