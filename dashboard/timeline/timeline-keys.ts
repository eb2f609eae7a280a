type TimelineKeysOptions = {
  readonly count: number;
  /** The number of the row where the keyboard is. */
  readonly at: number;
  /** How many rows are seen at once. */
  readonly page: number;
  readonly focus: (at: number) => void;
  readonly select: (at: number | undefined) => void;
};

/** What keys do: arrows and pages move through the rows, Enter selects, Escape takes it back. */
export function timelineKeys({ count, at, page, focus, select }: TimelineKeysOptions): (event: KeyboardEvent) => void {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: count - 1,
  };
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || count === 0) return;
    const target = targets[event.key];
    if (target !== undefined) focus(Math.min(count - 1, Math.max(0, target)));
    else if (event.key === "Enter" || event.key === " ") select(at);
    else if (event.key === "Escape") select(undefined);
    else return;
    event.preventDefault();
  };
}
