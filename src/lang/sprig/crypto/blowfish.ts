const roundKeys = 18;
const boxWords = 1024;

/** The Blowfish cipher with bcrypt's way of taking in keys. */
export class Blowfish {
  readonly #keys: Uint32Array;
  /** Four tables of 256 words, one after the other. */
  readonly #boxes: Uint32Array;

  constructor() {
    const words = wordsOfPi();
    this.#keys = words.slice(0, roundKeys);
    this.#boxes = words.slice(roundKeys);
  }

  /** Encrypts eight bytes, given as two words, in place. */
  encrypt(halves: Uint32Array): void {
    const keys = this.#keys;
    const boxes = this.#boxes;
    let left = halves[0]! ^ keys[0]!;
    let right = halves[1]!;
    for (let round = 1; round < 17; round += 2) {
      right ^= mixed(boxes, left) ^ keys[round]!;
      left ^= mixed(boxes, right) ^ keys[round + 1]!;
    }
    halves[0] = right ^ keys[17]!;
    halves[1] = left;
  }

  /** Takes in a key; where there is a salt, its words are mixed into what is encrypted on the way. */
  expand(key: Uint8Array, salt?: Uint8Array): void {
    const nextKey = cycledWords(key);
    const nextSalt = salt === undefined ? () => 0 : cycledWords(salt);
    for (let index = 0; index < roundKeys; index++) this.#keys[index]! ^= nextKey();
    const halves = new Uint32Array(2);
    for (const table of [this.#keys, this.#boxes]) {
      for (let index = 0; index < table.length; index += 2) {
        halves[0]! ^= nextSalt();
        halves[1]! ^= nextSalt();
        this.encrypt(halves);
        table[index] = halves[0]!;
        table[index + 1] = halves[1]!;
      }
    }
  }
}

function mixed(boxes: Uint32Array, word: number): number {
  const sum = (boxes[word >>> 24]! + boxes[256 + ((word >>> 16) & 0xff)]!) | 0;
  return ((sum ^ boxes[512 + ((word >>> 8) & 0xff)]!) + boxes[768 + (word & 0xff)]!) | 0;
}

/** Big-endian words of the bytes, over and over. */
function cycledWords(bytes: Uint8Array): () => number {
  let at = 0;
  return () => {
    let word = 0;
    for (let index = 0; index < 4; index++) {
      word = (word << 8) | bytes[at]!;
      at = (at + 1) % bytes.length;
    }
    return word;
  };
}

let known: Uint32Array | undefined;

/** Blowfish begins with the binary digits of pi after the point, so they are reckoned rather than written down. */
function wordsOfPi(): Uint32Array {
  if (known !== undefined) return known;
  const words = roundKeys + boxWords;
  const bits = BigInt(words * 32);
  const spare = 64n;
  const one = 1n << (bits + spare);
  // John Machin's formula.
  const pi = (16n * arctangent(5n, one) - 4n * arctangent(239n, one)) >> spare;
  const fraction = (pi & ((1n << bits) - 1n)).toString(16).padStart(words * 8, "0");
  known = Uint32Array.from({ length: words }, (_, index) => Number.parseInt(fraction.slice(index * 8, index * 8 + 8), 16));
  return known;
}

/** The arctangent of 1/`inverse`, times `one`. */
function arctangent(inverse: bigint, one: bigint): bigint {
  const square = inverse * inverse;
  let power = one / inverse;
  let sum = 0n;
  for (let odd = 1n; power !== 0n; odd += 2n) {
    sum += odd % 4n === 1n ? power / odd : -(power / odd);
    power /= square;
  }
  return sum;
}
