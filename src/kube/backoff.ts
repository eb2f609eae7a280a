export type BackoffShape = { readonly firstMs?: number; readonly mostMs?: number };

/** How long to wait after the nth failure in a row: twice as long each time up to a limit, give or take a quarter. */
export function backoffMs(failures: number, random: () => number, { firstMs = 100, mostMs = 30_000 }: BackoffShape = {}): number {
  const middle = Math.min(mostMs, firstMs * 2 ** Math.min(failures - 1, 30));
  return Math.round(middle * (0.75 + random() / 2));
}
