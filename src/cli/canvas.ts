import type { Screen } from "./terminal.ts";

/** Redraws the last lines of a terminal in place. */
export class Canvas {
  readonly #screen: Screen;
  #drawn: readonly string[] = [];

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  draw(lines: readonly string[]): void {
    if (lines.length === this.#drawn.length && lines.every((line, index) => line === this.#drawn[index])) return;
    this.#screen.write(`${this.#erasing()}${lines.map((line) => `${line}\n`).join("")}`);
    this.#drawn = lines;
  }

  /** Writes something else above the drawn lines. */
  above(write: () => void): void {
    const lines = this.#drawn;
    this.clear();
    write();
    this.draw(lines);
  }

  clear(): void {
    if (this.#drawn.length > 0) this.#screen.write(this.#erasing());
    this.#drawn = [];
  }

  /** Moves the cursor up to the first drawn line and erases from there. */
  #erasing(): string {
    return this.#drawn.length === 0 ? "" : `\u001B[${this.#drawn.length}A\u001B[0J`;
  }
}
