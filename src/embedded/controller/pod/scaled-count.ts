/**
 * A number of Pods that may be given as a share of `total` (`25%`), rounded up or down. What is neither counts as 0:
 * validation has seen to it.
 *
 * Models apimachinery pkg/util/intstr GetScaledValueFromIntOrPercent
 */
export function scaledCount(value: unknown, total: number, rounding: "up" | "down"): number {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !/^\d+%$/.test(value)) return 0;
  const share = (Number(value.slice(0, -1)) * total) / 100;
  return rounding === "up" ? Math.ceil(share) : Math.floor(share);
}
