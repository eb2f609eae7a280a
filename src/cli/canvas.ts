import { textWidth } from "../view/index.ts";
import { harmlessText } from "./harmless-text.ts";
import type { Screen } from "./terminal.ts";

/** Redraws the last lines of a terminal in place. */
export class Canvas {
  readonly #screen: Screen;
  #drawn: readonly string[] = [];

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** How many lines can be redrawn. The cursor takes the last row, and what has left the screen at its top is out of reach. */
  get room(): number {
    return Math.max(1, this.#screen.size().lines - 1);
  }

  draw(lines: readonly string[]): void {
    const fitting = lines.slice(0, this.room).map((line) => harmlessText(line.replaceAll("\n", "\\n")));
    if (fitting.length === this.#drawn.length && fitting.every((line, index) => line === this.#drawn[index])) return;
    if (fitting.length === 0) return this.clear();
    // tmux moves a screen that is erased from its first row on into its history. So each line is erased by itself.
    this.#screen.write(`${up(this.#rows())}${fitting.map((line) => `\u001B[2K${line}\n`).join("")}\u001B[0J`);
    this.#drawn = fitting;
  }

  /** Writes something else above the drawn lines. */
  above(write: () => void): void {
    const lines = this.#drawn;
    this.clear();
    write();
    this.draw(lines);
  }

  clear(): void {
    const rows = this.#rows();
    if (rows > 0) this.#screen.write(`${up(rows)}${"\u001B[2K\n".repeat(rows)}${up(rows)}`);
    this.#drawn = [];
  }

  /** How many rows the drawn lines take. A terminal that became narrower has wrapped them. */
  #rows(): number {
    const { columns } = this.#screen.size();
    const rows = this.#drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(textWidth(line) / columns)), 0);
    return Math.min(rows, this.room);
  }
}

/** Moves the cursor up. */
function up(rows: number): string {
  return rows === 0 ? "" : `\u001B[${rows}A`;
}
