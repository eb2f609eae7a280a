import { useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { windowOf, type GridSizes, type GridView, type GridWindow } from "./grid-window.ts";

const [rowHeight, columnWidth, headHeight] = [26, 28, 122];
/** Where the page is narrow, names have less room. */
const [narrow, narrowSide, wideSide] = [620, 136, 232];

type GridFrame = {
  readonly element: { current: HTMLDivElement | null };
  readonly window: ReadonlySignal<GridWindow>;
  readonly sizes: ReadonlySignal<GridSizes>;
  readonly view: () => GridView;
  readonly onScroll: () => void;
};

/** Follows which part of the grid is on the screen. */
export function useGridWindow(): GridFrame {
  const element = useRef<HTMLDivElement>(null);
  const sizes = useSignal<GridSizes>({ row: rowHeight, column: columnWidth, head: headHeight, side: wideSide });
  const shown = useSignal<GridWindow>({ fromLine: 0, toLine: 0, fromColumn: 0, toColumn: 0 });
  const view = () => {
    const { scrollLeft = 0, scrollTop = 0, clientWidth = 0, clientHeight = 0 } = element.current ?? {};
    return { left: scrollLeft, top: scrollTop, width: clientWidth, height: clientHeight };
  };
  const onScroll = () => {
    const next = windowOf(view(), sizes.peek());
    if (!isSameWindow(next, shown.peek())) shown.value = next;
  };
  useEffect(() => {
    const frame = element.current;
    if (frame === null) return undefined;
    const observer = new ResizeObserver(() => {
      const side = frame.clientWidth < narrow ? narrowSide : wideSide;
      if (sizes.peek().side !== side) sizes.value = { ...sizes.peek(), side };
      onScroll();
    });
    observer.observe(frame);
    return () => observer.disconnect();
  }, []);
  return { element, window: shown, sizes, view, onScroll };
}

function isSameWindow(a: GridWindow, b: GridWindow): boolean {
  return a.fromLine === b.fromLine && a.toLine === b.toLine && a.fromColumn === b.fromColumn && a.toColumn === b.toColumn;
}
