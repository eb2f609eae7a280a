import type { LogLine } from "./log-cursor.ts";

/** What a container has written, how many lines of it were skipped, or why its log is not read. */
export type LogEntry = { readonly pod: string; readonly container: string } & (
  | { readonly line: string; /** When it was written. */ readonly loggedAt?: string }
  | { readonly skipped: number }
  | { readonly because: string }
);

/** How many lines and characters wait for their reader. Beyond that the oldest are skipped. */
const maxLines = 5_000;
const maxCharacters = 1_048_576;

/** The entries of one container that nobody has taken yet. Bounded, so that a reader that is too slow holds up nothing. */
export class LogBuffer {
  readonly #of: { readonly pod: string; readonly container: string };
  readonly #onFilled: (take: () => readonly LogEntry[]) => void;
  #lines: LogLine[] = [];
  /** The lines before this one were skipped. */
  #first = 0;
  #characters = 0;
  #skipped = 0;
  #notes: string[] = [];

  /** `onFilled` is called when there is something to take again. */
  constructor(of: { readonly pod: string; readonly container: string }, onFilled: (take: () => readonly LogEntry[]) => void) {
    this.#of = of;
    this.#onFilled = onFilled;
  }

  push(line: LogLine): void {
    const wasEmpty = this.#isEmpty;
    this.#lines.push(line);
    this.#characters += line.text.length;
    while (this.#lines.length - this.#first > maxLines || this.#characters > maxCharacters) this.#skip();
    if (wasEmpty) this.#onFilled(() => this.#take());
  }

  /** Adds the reason why the log is not read, after its lines. */
  note(because: string): void {
    const wasEmpty = this.#isEmpty;
    this.#notes.push(because);
    if (wasEmpty) this.#onFilled(() => this.#take());
  }

  get #isEmpty(): boolean {
    return this.#lines.length === 0 && this.#notes.length === 0;
  }

  #skip(): void {
    this.#characters -= this.#lines[this.#first]!.text.length;
    this.#first++;
    this.#skipped++;
    // Removing the skipped lines one by one would take as long each time as there are lines.
    if (this.#first < maxLines) return;
    this.#lines = this.#lines.slice(this.#first);
    this.#first = 0;
  }

  #take(): readonly LogEntry[] {
    const of = this.#of;
    const entries: LogEntry[] = this.#skipped === 0 ? [] : [{ ...of, skipped: this.#skipped }];
    for (const { text: line, time } of this.#lines.slice(this.#first))
      entries.push({ ...of, line, ...(time === undefined ? {} : { loggedAt: time }) });
    for (const because of this.#notes) entries.push({ ...of, because });
    [this.#lines, this.#first, this.#characters, this.#skipped, this.#notes] = [[], 0, 0, 0, []];
    return entries;
  }
}
