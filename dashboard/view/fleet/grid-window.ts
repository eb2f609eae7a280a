/** Sizes of the grid, in pixels. */
export type GridSizes = {
  readonly row: number;
  readonly column: number;
  /** The height of the names of profiles. */
  readonly head: number;
  /** The width of the names of clusters. */
  readonly side: number;
};

/** What of the grid is on the screen. */
export type GridView = { readonly left: number; readonly top: number; readonly width: number; readonly height: number };

/** Lines and columns that are drawn: from the first one up to the last one, which is not among them. */
export type GridWindow = { readonly fromLine: number; readonly toLine: number; readonly fromColumn: number; readonly toColumn: number };

/** What is drawn beyond the screen, and by which steps: within a step nothing is drawn anew. */
const [spareLines, lineStep, spareColumns, columnStep] = [4, 2, 2, 2];

/** The lines and columns to draw for what is on the screen. Headings are not counted. */
export function windowOf(view: GridView, sizes: GridSizes): GridWindow {
  const lines = span(view.top, view.height - sizes.head, sizes.row, spareLines, lineStep);
  const columns = span(view.left, view.width - sizes.side, sizes.column, spareColumns, columnStep);
  return { fromLine: lines.from, toLine: lines.to, fromColumn: columns.from, toColumn: columns.to };
}

function span(start: number, length: number, size: number, spare: number, step: number) {
  const from = Math.floor(start / size / step) * step - spare;
  const to = Math.ceil((start + Math.max(0, length)) / size / step) * step + spare;
  return { from: Math.max(0, from), to };
}

/** Where to scroll so that a cell is on the screen whole, below and beside the headings. */
export function revealed(view: GridView, sizes: GridSizes, line: number, column: number): { readonly left: number; readonly top: number } {
  return {
    top: line < 0 ? view.top : within(view.top, line * sizes.row, sizes.row, view.height - sizes.head),
    left: column < 0 ? view.left : within(view.left, column * sizes.column, sizes.column, view.width - sizes.side),
  };
}

function within(start: number, at: number, size: number, length: number): number {
  if (at < start) return at;
  return at + size > start + length ? at + size - length : start;
}
