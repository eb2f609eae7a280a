import { RealClock } from "../core/clock/index.ts";
import { Fault } from "../core/fault/index.ts";
import { watchNpx } from "./npm-launcher.ts";

/** The process was interrupted by SIGINT or SIGTERM before it had a result. */
export class Interrupted extends Fault {}

/** Runs the work of a command and keeps its exit code. */
export type RunCommand = (work: (signal: AbortSignal) => Promise<number>) => Promise<void>;

/** Signals this close together are one: `timeout` and npx send theirs to the process and to its group. */
const sameSignalMs = 500;

/**
 * Runs `work` with a signal that SIGINT and SIGTERM abort, and the end of an npx that runs it. A later one ends the process at once. The process lives until
 * `work` has ended, whatever it waits for: with all connections broken, only background timers may be left.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const clock = new RealClock();
  let firstAt = 0;
  const onSignal = () => {
    if (stop.signal.aborted && clock.now() - firstAt > sameSignalMs) process.exit(130);
    firstAt ||= clock.now();
    stop.abort();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  const stopWatching = watchNpx(clock, () => stop.abort());
  const letGo = clock.after(Number.MAX_SAFE_INTEGER, () => {});
  try {
    return await work(stop.signal);
  } catch (error) {
    throw stop.signal.aborted ? new Interrupted("interrupted", undefined, { final: true }) : error;
  } finally {
    letGo();
    stopWatching?.();
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
}

/**
 * Runs work that keeps the thread busy, during which SIGINT and SIGTERM end the process as they do by default: no handler could
 * run. Only for work that leaves nothing behind.
 */
export function endedBySignals<T>(work: () => T): T {
  const handlers = (["SIGINT", "SIGTERM"] as const).flatMap((name) => process.listeners(name).map((handler) => ({ name, handler })));
  for (const { name, handler } of handlers) process.off(name, handler);
  try {
    return work();
  } finally {
    for (const { name, handler } of handlers) process.on(name, handler);
  }
}

/** Runs a service. It ends only when it is told to or fails. */
export async function runService(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  await work();
  if (!signal.aborted) throw new Fault(`the ${name} has ended without being told to`);
}
