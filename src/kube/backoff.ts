/** The first and the longest delay. */
export type Backoff = { readonly firstMs: number; readonly maxMs: number };

const requestBackoff: Backoff = { firstMs: 100, maxMs: 30_000 };

/** The delay after the nth failure in a row: doubles up to a limit, with a jitter of a quarter. */
export function backoffMs(failures: number, random: () => number, { firstMs, maxMs }: Backoff = requestBackoff): number {
  const middle = Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 30));
  return Math.round(middle * (0.75 + random() / 2));
}
