import type { Clock } from "./clock.ts";

type TimeoutOptions = {
  /** Aborts the work too. */
  readonly signal?: AbortSignal;
  /** The time limit alone keeps no process alive. Default false. */
  readonly background?: boolean;
};

/** Runs `work` with a signal that aborts with `late` after `ms`. Models Go's context.WithTimeout */
export async function withTimeout<T>(
  clock: Clock,
  ms: number,
  late: Error,
  work: (signal: AbortSignal) => Promise<T>,
  { signal, background = false }: TimeoutOptions = {},
): Promise<T> {
  const stop = new AbortController();
  const cancel = clock.after(ms, () => stop.abort(late), { background });
  try {
    return await work(signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]));
  } finally {
    cancel();
  }
}
