/**
 * What was made of texts, by the texts themselves. It holds so many characters of them at most; those met longest ago go
 * first.
 */
export class TextCache<Made> {
  readonly #most: number;
  readonly #known = new Map<string, Made>();
  #characters = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(text: string): Made | undefined {
    return this.#known.get(text);
  }

  /** Keeps what was made of a text that is not known yet. */
  keep(text: string, made: Made): void {
    this.#known.set(text, made);
    this.#characters += text.length;
    for (const oldest of this.#known.keys()) {
      if (this.#characters <= this.#most || oldest === text) break;
      this.#known.delete(oldest);
      this.#characters -= oldest.length;
    }
  }
}
