import type { FuzzTarget } from "./fuzz-target.ts";

/** Numbers below 1 of a seed: mulberry32. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What breaks parsers of any language. */
const oddities = [
  "",
  "\0",
  "\n",
  "\r\n",
  "\t",
  " ",
  "\u00a0",
  "\ufeff",
  "\ud800",
  "é",
  "😀",
  "\u0001",
  "\u007f",
  "\u0085",
  "\u2028",
  "-",
  "0",
  "-0",
  "1e400",
  "-1",
  "9007199254740993",
  "18446744073709551616",
  "0x",
  "1_0",
  ".",
  "..",
  "NaN",
  "Infinity",
  "null",
  "true",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "{",
  "}",
  "[",
  "]",
  "(",
  ")",
  "'",
  '"',
  "`",
  "\\",
  "\\x",
  "\\u",
  "%",
  "%00",
  "/",
  "//",
  ":",
  "::",
  ",",
  ";",
  "&",
  "*",
  "!",
  "|",
  ">",
  "@",
  "#",
  "$",
  "~",
  "=",
  "<",
];

const maxLength = 8192;

/** The input of a number: the same for the same target and seed. */
export function randomInput({ seeds, tokens }: FuzzTarget, seed: number): string {
  const random = randomOf(seed);
  const below = (count: number) => Math.floor(random() * count);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;
  const word = () => (random() < 0.7 ? pick(tokens) : pick(oddities));
  if (random() < 0.3)
    return Array.from({ length: 1 + below(30) }, word)
      .join(random() < 0.5 ? "" : " ")
      .slice(0, maxLength);
  let text = pick(seeds);
  for (let left = 1 + below(6); left > 0; left--) text = mutated(text).slice(0, maxLength);
  return text;

  function mutated(before: string): string {
    const at = below(before.length + 1);
    const end = Math.min(before.length, at + 1 + below(random() < 0.8 ? 8 : before.length));
    const part = before.slice(at, end);
    switch (below(9)) {
      case 0:
        return before.slice(0, at) + before.slice(end);
      case 1:
        return before.slice(0, at) + word() + before.slice(at);
      case 2:
        return before.slice(0, at) + word() + before.slice(end);
      case 3:
        return before.slice(0, end) + part.repeat(1 + below(random() < 0.9 ? 4 : 200)) + before.slice(end);
      case 4:
        return before.slice(0, at) + String.fromCharCode(below(random() < 0.8 ? 256 : 65_536)) + before.slice(at + 1);
      case 5: {
        const other = pick(seeds);
        return before.slice(0, at) + other.slice(below(other.length + 1));
      }
      case 6: {
        // A number becomes another one.
        return before.replace(/\d+/, () => pick(["0", "-1", "1e9", "4294967296", "9223372036854775807", "1.5", "007"]));
      }
      case 7:
        return before.slice(0, at);
      default: {
        const nested = pick([
          ["[", "]"],
          ["{", "}"],
          ["(", ")"],
          ["{a: ", "}"],
          ['{"a":', "}"],
          ["- ", ""],
          ["!", ""],
        ] as const);
        const depth = random() < 0.9 ? 3 : pick([400, 3000]);
        return before.slice(0, at) + nested[0].repeat(depth) + part + nested[1].repeat(depth) + before.slice(end);
      }
    }
  }
}

/** Makes an input smaller for as long as it still fails, with so many tries. */
export async function shrunk(input: string, fails: (input: string) => Promise<boolean>, tries: number): Promise<string> {
  let [text, left] = [input, tries];
  for (let size = Math.ceil(text.length / 2); size >= 1 && left > 0; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = 0; at < text.length && left > 0; left--) {
      const smaller = text.slice(0, at) + text.slice(at + size);
      if (await fails(smaller)) text = smaller;
      else at += size;
    }
  return text;
}
