import { goFunction, int, type FunctionTable, type Integer } from "../../template/index.ts";
import { panic } from "../panic.ts";
import type { Environment } from "../environment.ts";
import { goRunes } from "../text/rune.ts";

const digits = "0123456789";
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join("");

/** Random values. */
export function randomFunctions({ randomBytes }: Environment): FunctionTable {
  const below = (limit: number) => randomBelow(limit, randomBytes);
  const choosing = (alphabet: string) =>
    goFunction("func(int) string", (count: Integer) =>
      Array.from({ length: Math.max(Number(count.value), 0) }, () => alphabet[below(alphabet.length)]).join(""),
    );
  return {
    randAlphaNum: choosing(digits + letters),
    randAlpha: choosing(letters),
    randAscii: choosing(printable),
    randNumeric: choosing(digits),
    randBytes: goFunction("func(int) (string, error)", (count: Integer) => {
      if (count.value < 0) panic("runtime error: makeslice: len out of range");
      return Buffer.from(randomBytes(Number(count.value))).toString("base64");
    }),
    randInt: goFunction("func(int, int) int", (least: Integer, most: Integer) => {
      const [from, to] = [Number(least.value), Number(most.value)];
      return to <= from ? panic("invalid argument to Intn") : int(from + below(to - from));
    }),
    shuffle: goFunction("func(string) string", (text: string) => shuffled(Array.from(goRunes(text)), below).join("")),
    uuidv4: goFunction("func() string", () => uuid(randomBytes(16))),
  };
}

/** A uniform random integer in [0, limit). */
function randomBelow(limit: number, randomBytes: Environment["randomBytes"]): number {
  const width = limit > 2 ** 32 ? 6 : 4;
  const fair = Math.floor(2 ** (8 * width) / limit) * limit;
  for (;;) {
    const value = Buffer.from(randomBytes(width)).readUIntBE(0, width);
    if (value < fair) return value % limit;
  }
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
