import type { Clock } from "../core/clock/index.ts";

/** News come in bursts: those within this time are looked at together. */
const gatherMs = 50;

/** A function that has `work` done soon, once for all calls until then. After the signal aborts nothing is done. */
export function coalesce(clock: Clock, signal: AbortSignal, work: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue || signal.aborted) return;
    isDue = true;
    clock.after(gatherMs, () => {
      isDue = false;
      if (!signal.aborted) work();
    });
  };
}
