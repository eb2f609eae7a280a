import type { Stepper } from "./automaton.ts";
import { conditionsBetween, operation, type Program } from "./program.ts";

/** Numbers without their order, which forget all of them at once. */
class Marks {
  readonly #turns: Uint32Array;
  #turn = 0;

  constructor(size: number) {
    this.#turns = new Uint32Array(size);
  }

  clear(): void {
    this.#turn++;
  }

  /** Whether a number is new. */
  add(number: number): boolean {
    if (this.#turns[number] === this.#turn) return false;
    this.#turns[number] = this.#turn;
    return true;
  }
}

/**
 * Steps forward, to where the first match ends. The instructions of a state are in the order of their preference: behind one that has
 * matched nothing counts. The number after the last instruction stands for a match that begins later.
 */
export function forwardStepper(program: Program): Stepper {
  const { size: later, start, operations, outs, args } = program;
  const seen = new Marks(later + 1);
  const taken = new Marks(later + 1);
  const stack: number[] = [];
  return (instructions, passed, characterClass) => {
    const held = conditionsBetween(passed, program.neighbours[characterClass]!);
    const next: number[] = [];
    seen.clear();
    taken.clear();
    for (const from of instructions) {
      stack.push(from === later ? start : from);
      for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
        if (!seen.add(at)) continue;
        switch (operations[at]) {
          case operation.alternative:
          case operation.alternativeMatch:
            stack.push(args[at]!, outs[at]!);
            break;
          case operation.capture:
          case operation.none:
            stack.push(outs[at]!);
            break;
          case operation.assertion:
            if ((args[at]! & ~held) === 0) stack.push(outs[at]!);
            break;
          case operation.fail:
            break;
          case operation.match:
            stack.length = 0;
            return { instructions: Uint16Array.from(next), isFound: true };
          default:
            if (program.matches(at, characterClass) && taken.add(outs[at]!)) next.push(outs[at]!);
        }
      }
      if (from === later && characterClass < program.classes - 1) next.push(later);
    }
    return { instructions: Uint16Array.from(next), isFound: false };
  };
}

/**
 * Steps backward from the end of a match, to where it starts. The instructions of a state are those that match the character behind it
 * on the way to that end, and found is a start.
 */
export function backwardStepper(program: Program): Stepper {
  const { size, start, operations, args } = program;
  const sources = sourcesOf(program);
  const seen = new Marks(size);
  return (instructions, passed, characterClass) => {
    const held = conditionsBetween(program.neighbours[characterClass]!, passed);
    const next: number[] = [];
    const stack = Array.from(instructions);
    let isFound = false;
    seen.clear();
    for (const each of instructions) seen.add(each);
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (at === start) isFound = true;
      for (const source of sources[at]!) {
        const isCharacter = operations[source]! >= operation.firstCharacter;
        if (isCharacter) {
          if (program.matches(source, characterClass)) next.push(source);
        } else if ((operations[source] !== operation.assertion || (args[source]! & ~held) === 0) && seen.add(source)) stack.push(source);
      }
    }
    return { instructions: Uint16Array.from(next).sort(), isFound };
  };
}

/** The instructions that lead to each instruction. */
function sourcesOf({ size, operations, outs, args }: Program): readonly (readonly number[])[] {
  const sources: number[][] = Array.from({ length: size }, () => []);
  for (let at = 0; at < size; at++) {
    const does = operations[at];
    if (does === operation.match || does === operation.fail) continue;
    sources[outs[at]!]!.push(at);
    if ((does === operation.alternative || does === operation.alternativeMatch) && args[at] !== outs[at]) sources[args[at]!]!.push(at);
  }
  return sources;
}
