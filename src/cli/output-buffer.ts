import type { Writable } from "node:stream";

/** Larger texts are written at once, so that they are not copied into the buffer. */
const maxCharacters = 16_384;

/**
 * Buffers output and keeps its order across streams. All writes of one turn of the event loop go out together: under load a
 * write costs more than the work behind its line.
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
