const units: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** The longest Go duration: 2^63 − 1 nanoseconds. */
const longestMs = 9_223_372_036_854.775;

/** Parses a Go duration (`1h30m`, `1.5s`, `-2m`, `0`) into milliseconds; undefined when it is invalid. Models time.ParseDuration */
export function parseDuration(text: string): number | undefined {
  const [, sign, rest = ""] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (rest === "0") return 0;
  if (!/^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(rest)) return undefined;
  const parts = [...rest.matchAll(/([\d.]+)(ns|us|µs|μs|ms|s|m|h)/g)];
  const total = parts.reduce((sum, [, number, unit]) => sum + Number(number) * units[unit!]!, 0);
  if (total > longestMs) return undefined;
  return sign === "-" ? -total : total;
}
