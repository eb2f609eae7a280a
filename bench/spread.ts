/** The spread of many measured times, in milliseconds. */
type Spread = { readonly median: number; readonly p99: number; readonly worst: number };

export function spreadOf(times: readonly number[]): Spread {
  if (times.length === 0) throw new Error("nothing was measured");
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.ceil(sorted.length * part) - 1]!;
  return { median: at(0.5), p99: at(0.99), worst: at(1) };
}

export function spreadText({ median, p99, worst }: Spread): string {
  return `median ${median.toFixed(0)}, 99 % ${p99.toFixed(0)}, worst ${worst.toFixed(0)} ms`;
}
