/** A cache by text. It holds a limited number of characters and evicts the oldest texts. */
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

  /** Adds a text that is not cached yet. */
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
