/** A line of a log, and when it was written. */
export type LogLine = { readonly text: string; readonly time?: string };

const timestamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) ?/;

/**
 * The position up to which the log of one run has been read. The API server hands `sinceTime` on in whole seconds, so a log
 * that is read again repeats the lines of its last second. They are counted, because the lines of two streams may have the
 * same time or be written in another order than their times.
 */
export class LogCursor {
  /** The last second, in seconds of the epoch. */
  #second: number | undefined;
  /** How many lines of that second or later have been read. */
  #read = 0;
  #repeated = 0;
  /** A line without a time is a message of the kubelet, which repeats it to everybody who asks. */
  readonly #untimed = new Set<string>();

  /** From when on the log has to be read again; undefined for all of it. */
  get sinceTime(): string | undefined {
    return this.#second === undefined ? undefined : new Date(this.#second * 1000).toISOString().replace(".000Z", "Z");
  }

  /** The log is opened anew, and repeats what was read of its last second. */
  reopen(): void {
    this.#repeated = this.#read;
  }

  /** The line that the stream sends; undefined when it was read before. */
  next(line: string): LogLine | undefined {
    const time = timestamp.exec(line);
    if (time === null) return this.#untimedLine(line);
    const [prefix, text = ""] = time;
    const second = Math.floor(Date.parse(text) / 1000);
    if (this.#repeated > 0) {
      this.#repeated--;
      return undefined;
    }
    this.#count(second);
    return { text: line.slice(prefix.length), time: text };
  }

  #count(second: number): void {
    if (this.#second === undefined || second > this.#second) {
      this.#second = second;
      this.#read = 0;
    }
    if (second >= this.#second) this.#read++;
  }

  #untimedLine(line: string): LogLine | undefined {
    if (this.#untimed.has(line) || this.#untimed.size >= maxUntimed) return undefined;
    this.#untimed.add(line);
    return { text: line };
  }
}

const maxUntimed = 20;
