/** A text that is written rune by rune. Adding to a string would leave an object for each of them. */
export class RuneBuilder {
  #units: Uint16Array;
  #length = 0;
  /** All units, combined by "or". */
  #seen = 0;

  /** Expects about so many units. */
  constructor(expected: number) {
    this.#units = new Uint16Array(expected + 16);
  }

  add(rune: string): void {
    if (this.#length + rune.length > this.#units.length) this.#grow(rune.length);
    for (let at = 0; at < rune.length; at++) {
      const unit = rune.charCodeAt(at);
      this.#seen |= unit;
      this.#units[this.#length++] = unit;
    }
  }

  text(): string {
    const units = this.#units.subarray(0, this.#length);
    if (this.#seen < 0x100) return Buffer.from(units).toString("latin1");
    return Buffer.from(units.buffer, 0, 2 * this.#length).toString("utf16le");
  }

  #grow(by: number): void {
    const larger = new Uint16Array(2 * this.#units.length + by);
    larger.set(this.#units);
    this.#units = larger;
  }
}
