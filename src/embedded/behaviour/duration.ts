/** A duration: fixed, uniform between two bounds, or lognormal. In milliseconds. */
export type Duration =
  | { readonly fixed: number }
  | { readonly uniform: readonly [number, number] }
  | { readonly lognormal: { readonly p50: number; readonly p95: number } };

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `1m30s`, `250ms` in milliseconds; a bare number is seconds. Undefined when it is neither. */
export function millisecondsOf(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) && value >= 0 ? value * 1000 : undefined;
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) sum += Number(amount) * unitMs[unit!]!;
  return sum;
}

/** Milliseconds as Go prints a duration of whole milliseconds: `1m20s`, `1.25s`, `350ms`. Models time.Duration String */
export function goDuration(ms: number): string {
  if (ms === 0) return "0s";
  if (ms < 1000) return `${ms}ms`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  const seconds = `${(ms % 60_000) / 1000}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}

/** Samples a duration: the same `chance` in [0, 1) gives the same milliseconds. */
export function sample(duration: Duration, chance: number): number {
  if ("fixed" in duration) return duration.fixed;
  if ("uniform" in duration) {
    const [least, most] = duration.uniform;
    return Math.round(least + chance * (most - least));
  }
  const { p50, p95 } = duration.lognormal;
  const sigma = Math.log(p95 / p50) / 1.6448536;
  return Math.round(p50 * Math.exp(sigma * normalQuantile(chance)));
}

/** The standard normal distribution's quantile by the logistic approximation of Bowling et al. (2009): two digits are plenty here. */
function normalQuantile(chance: number): number {
  const p = Math.min(Math.max(chance, 1e-6), 1 - 1e-6);
  return Math.log(p / (1 - p)) / 1.702;
}
