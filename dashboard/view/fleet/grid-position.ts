/** A place in the grid: line 0 has the names of profiles, column 0 those of clusters. */
export type GridPosition = { readonly line: number; readonly column: number };

/** How many lines and columns there are, headings included, and how many lines fit the screen. */
export type GridExtent = { readonly lines: number; readonly columns: number; readonly page: number };

type PressedKey = { readonly key: string; readonly ctrlKey: boolean; readonly metaKey: boolean };

/** Where a key leads from a place; undefined when it leads nowhere. As in the ARIA authoring practices for grids. */
export function positionAfter({ line, column }: GridPosition, pressed: PressedKey, extent: GridExtent): GridPosition | undefined {
  const isFar = pressed.ctrlKey || pressed.metaKey;
  const [lastLine, lastColumn] = [extent.lines - 1, extent.columns - 1];
  const at = (toLine: number, toColumn: number) => ({
    line: Math.max(0, Math.min(lastLine, toLine)),
    column: Math.max(0, Math.min(lastColumn, toColumn)),
  });
  switch (pressed.key) {
    case "ArrowDown":
      return at(line + 1, column);
    case "ArrowUp":
      return at(line - 1, column);
    case "ArrowRight":
      return at(line, column + 1);
    case "ArrowLeft":
      return at(line, column - 1);
    case "Home":
      return at(isFar ? 0 : line, 0);
    case "End":
      return at(isFar ? lastLine : line, lastColumn);
    case "PageDown":
      return at(line + extent.page, column);
    case "PageUp":
      return at(line - extent.page, column);
    default:
      return undefined;
  }
}
