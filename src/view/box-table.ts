type Row = readonly string[];

/**
 * A table in a box of `+`, `-` and `|`, as sveltosctl draws it: centred headings, cells aligned left, cells of several lines
 * on as many rows. Models tablewriter 0.x, without its wrapping
 */
export function boxTable(heads: Row, rows: readonly Row[]): readonly string[] {
  const lines = rows.flatMap(linesOf);
  const widths = heads.map((head, column) => lines.reduce((most, line) => Math.max(most, (line[column] ?? "").length), head.length));
  const rule = `+${widths.map((width) => "-".repeat(width + 2)).join("+")}+`;
  const drawn = (cells: Row, place: (text: string, width: number) => string) =>
    `|${widths.map((width, column) => ` ${place(cells[column] ?? "", width)} `).join("|")}|`;
  return [rule, drawn(heads, centred), rule, ...lines.map((line) => drawn(line, (text, width) => text.padEnd(width))), rule];
}

function centred(text: string, width: number): string {
  return `${" ".repeat(Math.floor((width - text.length) / 2))}${text}`.padEnd(width);
}

/** The lines of one row. */
function linesOf(row: Row): readonly Row[] {
  const cells = row.map((cell) => cell.split("\n"));
  const height = cells.reduce((most, { length }) => Math.max(most, length), 1);
  return Array.from({ length: height }, (_, at) => cells.map((cell) => cell[at] ?? ""));
}

/** Wraps a text between words. A line is longer than `width` only when it is a single word. */
export function wrapWords(text: string, width: number): string {
  return text
    .split("\n")
    .flatMap((line) => wrappedLine(line, width))
    .join("\n");
}

function wrappedLine(line: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of line.trim().split(/\s+/)) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
