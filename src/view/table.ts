/** Aligns columns under their headings, two spaces apart. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = heads.map((head, column) => rows.reduce((most, row) => Math.max(most, (row[column] ?? "").length), head.length));
  const lined = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd();
  return [heads, ...rows].map(lined);
}

/** Joins the lines of a text, for a cell. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ").trim();
}
