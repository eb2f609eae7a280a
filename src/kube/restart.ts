import { sleep, type Clock } from "../core/clock/index.ts";
import { backoffMs, type Backoff } from "./backoff.ts";

type RestartOptions = {
  readonly clock: Clock;
  /** Between 0 and 1, for jitter. */
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Default: from 100 ms to 30 s. */
  readonly backoff?: Backoff;
};

/**
 * Runs `run` again whenever it ends, with growing delays, until the signal aborts or `run` returns "stop". `run` calls
 * `reset` on progress, which starts the delays anew. What `run` throws ends it.
 */
export async function restart(
  { clock, random, signal, backoff }: RestartOptions,
  run: (reset: () => void) => Promise<void | "stop">,
): Promise<void> {
  for (let runs = 1; !signal.aborted; runs++) {
    if ((await run(() => (runs = 0))) === "stop") return;
    await sleep(clock, backoffMs(Math.max(1, runs), random, backoff), signal).catch(() => undefined); // aborted: the loop ends
  }
}
