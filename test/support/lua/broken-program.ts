import { SeededRandom } from "./seeded-random.ts";
import { prelude, ProgramGenerator } from "./program-generator.ts";

/** A program with a token removed, duplicated or replaced. It is nearly always invalid. */
export function brokenProgram(seed: number): string {
  const random = new SeededRandom(seed);
  const source = new ProgramGenerator(seed).program().slice(prelude.length);
  const tokens = source.match(/\s+|"(?:[^"\\]|\\.)*"|\w+|[^\s\w]/g) ?? [];
  const at = random.below(tokens.length);
  const extra = random.pick([
    "end",
    "(",
    ")",
    "=",
    "then",
    "do",
    "local",
    ",",
    "..",
    "'",
    "function",
    "}",
    "]]",
    "3x",
    "in",
    "return",
    "1",
    "x",
    "[",
    "until",
    "@",
    "~",
  ]);
  const changed = random.pick([
    () => tokens.toSpliced(at, 1),
    () => tokens.toSpliced(at, 0, extra),
    () => tokens.toSpliced(at, 1, extra),
    () => tokens.slice(0, at),
  ])();
  return changed.join("");
}
