/**
 * A number of Pods, given as a number or as a percentage of `total` (`25%`), rounded up or down. Anything else counts
 * as 0, since validation rejects it.
 *
 * Models apimachinery pkg/util/intstr GetScaledValueFromIntOrPercent
 */
export function scaledCount(value: unknown, total: number, rounding: "up" | "down"): number {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !/^\d+%$/.test(value)) return 0;
  const share = (Number(value.slice(0, -1)) * total) / 100;
  return rounding === "up" ? Math.ceil(share) : Math.floor(share);
}
