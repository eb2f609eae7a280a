/** Reads a text character by character. */
export class RuneReader {
  readonly #runes: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#runes = [...text];
  }

  get rest(): string {
    return this.#runes.slice(this.#at).join("");
  }

  /** The next character, or nothing at the end. */
  peek(): string | undefined {
    return this.#runes[this.#at];
  }

  skip(count: number): void {
    this.#at += count;
  }

  /** Reads up to one of the stops and consumes it. At the end of the text there is no stop. */
  until(stops: string, escapes: boolean): { readonly text: string; readonly stop: string | undefined } {
    let text = "";
    for (let rune = this.#next(); rune !== undefined; rune = this.#next()) {
      if (stops.includes(rune)) return { text, stop: rune };
      if (rune !== "\\" || !escapes) {
        text += rune;
        continue;
      }
      const escaped = this.#next();
      if (escaped === undefined) break;
      text += escaped;
    }
    return { text, stop: undefined };
  }

  #next(): string | undefined {
    return this.#runes[this.#at++];
  }
}
