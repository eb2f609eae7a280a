import type { ReadonlySignal } from "@preact/signals";

/** What is said of a cell, and where that cell is on the screen. */
export type Tip = {
  readonly title: string;
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
};

const [width, room, gap] = [320, 120, 6];

/** What the cell under the pointer, or with the focus, means. It is read aloud with the cell itself. */
export function CellTip({ tip }: { readonly tip: ReadonlySignal<Tip | undefined> }) {
  const shown = tip.value;
  if (shown === undefined) return null;
  const { title, text, left, top, bottom } = shown;
  const isBelow = bottom + room < innerHeight;
  const style = {
    left: `${Math.max(gap, Math.min(left, innerWidth - width - gap))}px`,
    ...(isBelow ? { top: `${bottom + gap}px` } : { bottom: `${innerHeight - top + gap}px` }),
  };
  return (
    <div class="cell-tip" aria-hidden="true" style={style}>
      {title === "" ? null : <b>{title}</b>}
      <span>{text}</span>
    </div>
  );
}
