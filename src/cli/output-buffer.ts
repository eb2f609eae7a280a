import type { Writable } from "node:stream";

/** So much text goes out at once, so that what is large is not there twice. */
const maxCharacters = 16_384;

/**
 * Texts on their way out, in their order whichever stream they go to. Those of one turn of the event loop are written
 * together: while a cluster is at work, a write costs more than all that leads to its line.
 */
export class OutputBuffer {
  #to: Writable | undefined;
  #text = "";
  #next: NodeJS.Immediate | undefined;

  write(to: Writable, text: string): void {
    if (this.#to !== to) this.flush();
    this.#to = to;
    this.#text += text;
    if (this.#text.length > maxCharacters) this.flush();
    else this.#next ??= setImmediate(() => this.flush());
  }

  flush(): void {
    clearImmediate(this.#next);
    this.#next = undefined;
    const text = this.#text;
    this.#text = "";
    if (text !== "") this.#to?.write(text);
  }
}
