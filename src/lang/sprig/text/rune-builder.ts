/** A text that is written by code points. Adding to a string would leave an object for each of them. */
export class RuneBuilder {
  #units: Uint16Array;
  #length = 0;
  /** All code points, combined by "or". */
  #seen = 0;

  /** Expects about so many units. */
  constructor(expected: number) {
    this.#units = new Uint16Array(expected + 16);
  }

  add(code: number): void {
    if (this.#length + 2 > this.#units.length) this.#grow();
    if (code > 0xffff) {
      this.#units[this.#length++] = 0xd800 + ((code - 0x10000) >> 10);
      this.#units[this.#length++] = 0xdc00 + (code & 0x3ff);
    } else this.#units[this.#length++] = code;
    this.#seen |= code;
  }

  text(): string {
    return textOfUnits(this.#units.subarray(0, this.#length), this.#seen);
  }

  #grow(): void {
    const larger = new Uint16Array(2 * this.#units.length);
    larger.set(this.#units);
    this.#units = larger;
  }
}

/** The text of UTF-16 units, of which `seen` is all combined by "or": one with small units takes half the room. */
export function textOfUnits(units: Uint16Array, seen: number): string {
  if (seen < 0x100) return Buffer.from(units).toString("latin1");
  return Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString("utf16le");
}
