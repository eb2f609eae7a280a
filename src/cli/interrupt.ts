import { Fault } from "../core/fault/index.ts";

/** Ended by Ctrl-C or a polite kill before there was anything to tell. */
export class Interrupted extends Fault {}

/** Carries out the work of a command, which ends with an exit code. */
export type RunCommand = (work: (signal: AbortSignal) => Promise<number>) => Promise<void>;

/** Runs `work` with a signal that Ctrl-C and a polite kill abort. A second Ctrl-C ends the process at once. */
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
