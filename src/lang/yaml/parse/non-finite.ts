import type { DecodeTarget } from "./decode-target.ts";

/** The first number that JSON cannot represent, in the order of Go's encoder, which sorts keys. Overwritten values do not count. */
export function firstNonFinite(value: unknown, target: DecodeTarget): number | undefined {
  // The next one last.
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === "number" && !Number.isFinite(next)) return next;
    if (typeof next !== "object" || next === null) continue;
    if (target.isMap(next)) {
      const entries = [...target.entries(next)].toSorted(([a], [b]) => (a < b ? 1 : -1));
      for (const [, item] of entries) pending.push(item);
    } else if (target.isList(next)) for (const item of target.itemsOf(next).toReversed()) pending.push(item);
  }
  return undefined;
}
