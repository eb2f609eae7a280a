/** Stops a timer that has not fired yet; calling it again does nothing. */
export type Cancel = () => void;

/** The source of all time. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Calls `fire` once, `ms` from now. A `background` timer (a bookmark, a heartbeat) keeps no process alive and does
   * not make a virtual clock jump.
   */
  after(ms: number, fire: () => void, options?: { background?: boolean }): Cancel;
};

/** Resolves after `ms` of the clock's time; rejects with the signal's reason when that comes first. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener("abort", abort);
      resolve();
    });
    signal?.addEventListener("abort", abort, { once: true });
  });
}
