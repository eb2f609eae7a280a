import type { RE2JS } from "re2js";

/** What an instruction of the library's programs does. */
export const operation = {
  alternative: 1,
  alternativeMatch: 2,
  capture: 3,
  assertion: 4,
  fail: 5,
  match: 6,
  none: 7,
  /** This and those after it, up to `lastCharacter`, match a character. */
  firstCharacter: 8,
  lastCharacter: 11,
} as const;

/** What is beside a position of a text, as far as assertions ask. */
export const neighbour = { other: 0, word: 1, newline: 2, edge: 3 } as const;

/** A compiled pattern as arrays, by the number of an instruction. */
export type Program = {
  readonly size: number;
  readonly start: number;
  readonly operations: Uint8Array;
  readonly outs: Int32Array;
  /** The second way of an alternative, the slot of a capture, the conditions of an assertion. */
  readonly args: Int32Array;
  /** Two for the match and for each group: where it starts and ends. */
  readonly slots: number;
  /** What every match begins with, or the newline before it if it begins a line; empty for all others. */
  readonly landmark: string;
  readonly hasAssertions: boolean;
  /** Characters that no instruction distinguishes are one class; the last class stands for the edge of the text. */
  readonly classes: number;
  readonly classOf: (codePoint: number) => number;
  /** The classes of the first 256 characters. */
  readonly latinClasses: Uint16Array;
  /** What a class is to an assertion. Without assertions, all are the same. */
  readonly neighbours: Uint8Array;
  /** Whether an instruction matches the characters of a class. */
  readonly matches: (instruction: number, characterClass: number) => boolean;
};

type Instruction = { op: number; out: number; arg: number; matchRune: (rune: number) => boolean };

const largest = { instructions: 4000, classes: 4000 };

/** The program of a pattern; undefined for one that is too large for an automaton, or has what Go does not know. */
export function programOf(expression: RE2JS): Program | undefined {
  const { prog, dfa, prefix, cond } = expression.re2();
  const { inst, start, numCap: slots }: { inst: readonly Instruction[]; start: number; numCap: number } = prog;
  const bounds = dfa.classBounds;
  const size = inst.length;
  if (size > largest.instructions || bounds.length > largest.classes || inst.some(({ op }) => op > operation.lastCharacter))
    return undefined;
  const hasAssertions = inst.some(({ op }) => op === operation.assertion);
  const classOf = (codePoint: number): number => classBetween(bounds, codePoint);
  const representative = (characterClass: number): number => (characterClass === 0 ? 0 : bounds[characterClass - 1]!);
  return {
    size,
    start,
    operations: Uint8Array.from(inst, ({ op }) => op),
    outs: Int32Array.from(inst, ({ out }) => out),
    args: Int32Array.from(inst, ({ arg }) => arg),
    slots,
    landmark: prefix !== null && prefix !== "" ? String(prefix) : (Number(cond) & condition.beginLine) === 0 ? "" : "\n",
    hasAssertions,
    classes: bounds.length + 2,
    classOf,
    latinClasses: Uint16Array.from({ length: 256 }, (_, codePoint) => classOf(codePoint)),
    neighbours: Uint8Array.from({ length: bounds.length + 2 }, (_, index) =>
      !hasAssertions ? neighbour.other : index > bounds.length ? neighbour.edge : neighbourOf(representative(index)),
    ),
    matches: (instruction, characterClass) =>
      characterClass <= bounds.length && inst[instruction]!.matchRune(representative(characterClass)),
  };
}

function classBetween(bounds: Int32Array, codePoint: number): number {
  let [low, high] = [0, bounds.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bounds[middle]! <= codePoint) low = middle + 1;
    else high = middle;
  }
  return low;
}

function neighbourOf(codePoint: number): number {
  if (codePoint === 0x0a) return neighbour.newline;
  return codePoint < 0x80 && /\w/.test(String.fromCharCode(codePoint)) ? neighbour.word : neighbour.other;
}

const condition = { beginLine: 1, endLine: 2, beginText: 4, endText: 8, wordBoundary: 16, noWordBoundary: 32 } as const;

/** The conditions of assertions that hold between two neighbours. */
export function conditionsBetween(before: number, after: number): number {
  let held: number = (before === neighbour.word) === (after === neighbour.word) ? condition.noWordBoundary : condition.wordBoundary;
  if (before === neighbour.edge) held |= condition.beginText | condition.beginLine;
  if (before === neighbour.newline) held |= condition.beginLine;
  if (after === neighbour.edge) held |= condition.endText | condition.endLine;
  if (after === neighbour.newline) held |= condition.endLine;
  return held;
}
