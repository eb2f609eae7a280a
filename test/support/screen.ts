type Row = { text: string; wraps: boolean };
type Size = { readonly columns: number; readonly lines: number };

/**
 * A terminal that knows what is to be seen on it and above it, by carrying out what is asked of it as tmux does: it wraps lines
 * anew when it is resized, its cursor does not get past the top, and a screen that is erased as a whole goes into the history.
 */
export class VirtualScreen {
  readonly #redraws = new Set<() => void>();
  #rows: Row[] = [emptyRow()];
  #size: Size;
  #top = 0;
  #y = 0;
  #x = 0;

  constructor(size: Size) {
    this.#size = size;
  }

  readonly size = (): Size => this.#size;

  readonly onResize = (redraw: () => void): (() => void) => {
    this.#redraws.add(redraw);
    return () => void this.#redraws.delete(redraw);
  };

  readonly write = (text: string): void => {
    for (const [token, count = "", letter] of text.matchAll(/\n|\p{Cc}\[(\d+)([AJK])|\P{Cc}+/gu)) {
      if (token === "\n") this.#feed();
      else if (letter === "A") this.#y = Math.max(this.#top, this.#y - Number(count));
      else if (letter === "J") this.#eraseBelow();
      else if (letter === "K") this.#set(count === "2" ? "" : this.#row.text.slice(0, this.#x));
      else this.#put(token);
    }
  };

  /** Everything that can be seen, also by scrolling up, without empty rows. */
  get seen(): readonly string[] {
    return this.#rows.map(({ text }) => text).filter((text) => text !== "");
  }

  /** Takes another size. The cursor has to be below what was written. */
  resize(size: Size): void {
    const lines = this.#rows.reduce<string[]>((all, { text }, at) => {
      if (this.#rows[at - 1]?.wraps === true) return [...all.slice(0, -1), `${all.at(-1)}${text}`];
      return [...all, text];
    }, []);
    this.#size = size;
    this.#rows = lines.flatMap((line) => wrapped(line, size.columns));
    this.#y = this.#rows.length - 1;
    this.#top = Math.max(0, this.#y - size.lines + 1);
    for (const redraw of this.#redraws) redraw();
  }

  get #row(): Row {
    return this.#rows[this.#y] ?? emptyRow();
  }

  #set(text: string): void {
    this.#rows[this.#y] = { text, wraps: false };
  }

  #put(text: string): void {
    const before = this.#row.text;
    this.#set(before.slice(0, this.#x) + text + before.slice(this.#x + text.length));
    this.#x += text.length;
  }

  #feed(): void {
    this.#y++;
    this.#x = 0;
    this.#rows[this.#y] ??= emptyRow();
    this.#top = Math.max(this.#top, this.#y - this.#size.lines + 1);
  }

  #eraseBelow(): void {
    if (this.#y === this.#top && this.#x === 0) this.#top = this.#y = this.#rows.length;
    this.#rows = this.#rows.slice(0, this.#y + 1);
    this.#set(this.#row.text.slice(0, this.#x));
  }
}

function emptyRow(): Row {
  return { text: "", wraps: false };
}

function wrapped(line: string, columns: number): readonly Row[] {
  const count = Math.max(1, Math.ceil(line.length / columns));
  return Array.from({ length: count }, (_, at) => ({ text: line.slice(at * columns, (at + 1) * columns), wraps: at < count - 1 }));
}
