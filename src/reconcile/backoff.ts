/** How waits grow: the first, and the longest. */
export type Backoff = { readonly firstMs: number; readonly mostMs: number };

/** A first retry that nobody notices, and at most one every five minutes for what stays broken. */
export const defaultBackoff: Backoff = { firstMs: 100, mostMs: 300_000 };

/** How long to wait after the nth failure in a row: twice as long each time up to the longest, give or take a quarter. */
export function backoffMs(failures: number, random: () => number, { firstMs, mostMs }: Backoff = defaultBackoff): number {
  const middle = Math.min(mostMs, firstMs * 2 ** Math.min(failures - 1, 40));
  return Math.round(middle * (0.75 + random() / 2));
}
