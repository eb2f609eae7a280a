import type { TextCursor } from "./text-cursor.ts";

/** A simple key must end within this many characters and on its line. */
export const longestKey = 1024;

/**
 * Candidates for simple keys, one per flow level. A key is only known at its `:`, so the scanner holds the tokens back until
 * then. Models the simple keys of go.yaml.in/yaml/v2 scannerc.go, and their index by token, from which an empty flow collection
 * removes the key that it begins.
 */
export class SimpleKeys {
  readonly #cursor: TextCursor;
  readonly #isPossible: boolean[] = [false];
  readonly #isRequired: boolean[] = [false];
  /** Present in the index by token. */
  readonly #isListed: boolean[] = [false];
  readonly #tokens: number[] = [0];
  readonly #lines: number[] = [0];
  readonly #starts: number[] = [0];
  readonly #columns: number[] = [0];
  readonly #indexes: number[] = [0];
  level = 0;

  constructor(cursor: TextCursor) {
    this.#cursor = cursor;
  }

  /** The number of the first token of the key at this level. */
  get token(): number {
    return this.#tokens[this.level]!;
  }

  get line(): number {
    return this.#lines[this.level]!;
  }

  get start(): number {
    return this.#starts[this.level]!;
  }

  get column(): number {
    return this.#columns[this.level]!;
  }

  save(token: number, isRequired: boolean): void {
    const { level } = this;
    const cursor = this.#cursor;
    this.remove();
    this.#isPossible[level] = true;
    this.#isListed[level] = true;
    this.#isRequired[level] = isRequired;
    this.#tokens[level] = token;
    this.#lines[level] = cursor.line;
    this.#starts[level] = cursor.pos;
    this.#columns[level] = cursor.pos - cursor.lineStart;
    this.#indexes[level] = cursor.pos - cursor.astral;
  }

  remove(): void {
    const { level } = this;
    if (!this.#isPossible[level]) return;
    if (this.#isRequired[level]) this.#cursor.fail("could not find expected ':'");
    this.take();
  }

  /** Removes the candidate after the key is found. */
  take(): void {
    this.#isPossible[this.level] = false;
    this.#isListed[this.level] = false;
  }

  /** Whether the token of this number may still begin a key. */
  mayBegin(token: number): boolean {
    for (let level = this.#levelOf(token); level <= this.level && this.#tokens[level] === token; level++)
      if (this.#isListed[level]) return this.#isValid(level);
    return false;
  }

  /** The first level whose token is not before this one. Deeper levels never begin earlier, so that half of them is left out each time. */
  #levelOf(token: number): number {
    let from = 0;
    let to = this.level + 1;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#tokens[middle]! < token) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  isValid(): boolean {
    return this.#isValid(this.level);
  }

  #isValid(level: number): boolean {
    if (!this.#isPossible[level]) return false;
    const cursor = this.#cursor;
    if (this.#lines[level]! >= cursor.line && this.#indexes[level]! + longestKey >= cursor.pos - cursor.astral) return true;
    if (this.#isRequired[level]) cursor.fail("could not find expected ':'");
    this.#isPossible[level] = false;
    return false;
  }

  open(token: number): void {
    this.level++;
    this.#isPossible[this.level] = false;
    this.#isRequired[this.level] = false;
    this.#isListed[this.level] = false;
    this.#tokens[this.level] = token;
  }

  close(): void {
    if (this.level === 0) return;
    const token = this.#tokens[this.level]!;
    this.level--;
    if (this.#tokens[this.level] === token) this.#isListed[this.level] = false;
  }
}
