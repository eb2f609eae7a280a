import { charge } from "../../../core/cost/index.ts";
import { goFunction, int, type FunctionTable, type Integer } from "../../template/index.ts";
import { panic } from "../panic.ts";
import type { Environment } from "../environment.ts";
import { goRunes } from "../text/rune.ts";

const digits = "0123456789";
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join("");

/** A random number takes about a microsecond. */
const costOfChoice = 64;
const costOfByte = 4;

/** Random values. */
export function randomFunctions({ randomBytes }: Environment): FunctionTable {
  const choosing = (alphabet: string) =>
    goFunction("func(int) string", (count: Integer) => {
      const length = Math.max(Number(count.value), 0);
      charge(costOfChoice * length);
      const below = numbersFrom(randomBytes, length);
      return Array.from({ length }, () => alphabet[below(alphabet.length)]).join("");
    });
  return {
    randAlphaNum: choosing(digits + letters),
    randAlpha: choosing(letters),
    randAscii: choosing(printable),
    randNumeric: choosing(digits),
    randBytes: goFunction("func(int) (string, error)", (count: Integer) => {
      if (count.value < 0) panic("runtime error: makeslice: len out of range");
      charge(costOfByte * Number(count.value));
      return Buffer.from(randomBytes(Number(count.value))).toString("base64");
    }),
    randInt: goFunction("func(int, int) int", (least: Integer, most: Integer) => {
      // Go's difference wraps around.
      const width = BigInt.asIntN(64, most.big - least.big);
      if (width <= 0n) panic("invalid argument to Intn");
      if (width < 2n ** 47n) return int(least.big + BigInt(numbersFrom(randomBytes, 1)(Number(width))));
      return int(least.big + randomBelowLarge(width, randomBytes));
    }),
    shuffle: goFunction("func(string) string", (text: string) => {
      charge(costOfChoice * text.length);
      return shuffled(goRunes(text), numbersFrom(randomBytes, text.length)).join("");
    }),
    uuidv4: goFunction("func() string", () => uuid(randomBytes(16))),
  };
}

/** The same for limits up to 2^63. */
function randomBelowLarge(limit: bigint, randomBytes: Environment["randomBytes"]): bigint {
  const fair = (2n ** 64n / limit) * limit;
  for (;;) {
    const value = Buffer.from(randomBytes(8)).readBigUInt64BE();
    if (value < fair) return value % limit;
  }
}

/** How many numbers are made of one request for random bytes, which takes microseconds however few they are. */
const numbersAtOnce = 16_384;

/** Gives uniform random integers in [0, limit), for limits up to 2^47, about `count` of them. */
function numbersFrom(randomBytes: Environment["randomBytes"], count: number): (limit: number) => number {
  let bytes = Buffer.alloc(0);
  let at = 0;
  let left = count;
  return (limit) => {
    const width = limit > 2 ** 32 ? 6 : 4;
    const fair = Math.floor(2 ** (8 * width) / limit) * limit;
    for (;;) {
      if (at + width > bytes.length) {
        bytes = Buffer.from(randomBytes(width * Math.min(Math.max(left, 1), numbersAtOnce)));
        at = 0;
      }
      const value = bytes.readUIntBE(at, width);
      at += width;
      left--;
      if (value < fair) return value % limit;
    }
  };
}

function shuffled(characters: string[], below: (limit: number) => number): string[] {
  for (let last = characters.length - 1; last > 0; last--) {
    const other = below(last + 1);
    [characters[last], characters[other]] = [characters[other]!, characters[last]!];
  }
  return characters;
}

function uuid(bytes: Uint8Array): string {
  const marked = Buffer.from(bytes);
  marked[6] = (marked[6]! & 0x0f) | 0x40;
  marked[8] = (marked[8]! & 0x3f) | 0x80;
  return marked.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
