/** The height of a row, in pixels; `.timeline-row` has the same. */
export const rowHeight = 26;
/** Rows beyond what is seen, so that scrolling shows no gap. */
const reach = 10;

/** The rows that are drawn: from `first` up to, and without, `end`. */
export type RowWindow = { readonly first: number; readonly end: number };

/** Which of so many rows are drawn where a part of them is seen, by its distance from the top and its height. */
export function rowWindow(count: number, top: number, height: number): RowWindow {
  const first = Math.max(0, Math.floor(top / rowHeight) - reach);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + reach);
  return { first: Math.min(first, end), end };
}

/** Where to scroll, as little as it takes, to see a whole row. */
export function scrollTopFor(at: number, top: number, height: number): number {
  if (at * rowHeight < top) return at * rowHeight;
  return Math.max(top, (at + 1) * rowHeight - height);
}
