const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Distances that people count in. */
const distances = [
  [1, 2, 5, 10, 20, 50, 100, 200, 500],
  [1, 2, 5, 10, 15, 30].map((count) => count * second),
  [1, 2, 5, 10, 15, 30].map((count) => count * minute),
  [1, 2, 3, 6, 12, 24, 48, 96, 240].map((count) => count * hour),
].flat();

/** A mark of a time axis. */
export type TimeTick = { readonly ms: number; readonly text: string };

/** Marks at round times from the start to the end of an axis, at most so many. */
export function timeTicks(lengthMs: number, maxCount: number): readonly TimeTick[] {
  const distance = distances.find((each) => lengthMs / each <= Math.max(1, maxCount - 1)) ?? distances.at(-1)!;
  const count = Math.floor(lengthMs / distance) + 1;
  return Array.from({ length: Math.min(count, maxCount) }, (_, at) => ({ ms: at * distance, text: tickText(at * distance, distance) }));
}

/** The next round time: an axis that ends there is not drawn anew with every second of a run. */
export function roundedUp(lengthMs: number): number {
  const distance = distances.findLast((each) => each * 4 <= lengthMs) ?? 1;
  return Math.ceil(lengthMs / distance) * distance;
}

function tickText(ms: number, distance: number): string {
  if (ms === 0) return "0";
  if (distance < second) return `${(ms / second).toFixed(distance % 100 === 0 ? 1 : distance % 10 === 0 ? 2 : 3)} s`;
  if (distance < minute && ms < minute) return `${ms / second} s`;
  if (distance < minute) return `${Math.floor(ms / minute)}:${String((ms % minute) / second).padStart(2, "0")}`;
  if (distance < hour && ms < hour) return `${ms / minute} min`;
  if (distance < hour) return `${Math.floor(ms / hour)} h ${String((ms % hour) / minute).padStart(2, "0")}`;
  return `${ms / hour} h`;
}
