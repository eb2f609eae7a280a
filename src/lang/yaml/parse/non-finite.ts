import type { DecodeTarget } from "./decode-target.ts";

/** The first number that JSON cannot represent, in the order of Go's encoder, which sorts keys. Overwritten values do not count. */
export function firstNonFinite(value: unknown, target: DecodeTarget): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : value;
  if (typeof value !== "object" || value === null) return undefined;
  if (target.isMap(value)) {
    const entries = [...target.entries(value)].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return firstOf(
      entries.map(([, item]) => item),
      target,
    );
  }
  return target.isList(value) ? firstOf(target.itemsOf(value), target) : undefined;
}

function firstOf(items: readonly unknown[], target: DecodeTarget): number | undefined {
  for (const item of items) {
    const found = firstNonFinite(item, target);
    if (found !== undefined) return found;
  }
  return undefined;
}
