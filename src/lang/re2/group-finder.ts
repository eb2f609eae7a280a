import { charge } from "../../core/cost/index.ts";
import type { Automaton } from "./automaton.ts";
import { conditionsBetween, operation, type Program } from "./program.ts";
import { classAt, classBefore } from "./text-class.ts";

/** A way from one instruction to another at one position of a text: where it leads, and the slots that get the position. */
type Way = { readonly to: number; readonly captures: readonly number[] };

const maxWays = 4096;
const costOfWay = 256;

/**
 * Finds what the groups of a match matched, on the way from its start to its end: the instructions that lead to the end are known for
 * each position by what was passed backward, and the first of them in the order of preference is taken.
 */
export class GroupFinder {
  readonly #program: Program;
  readonly #backward: Automaton;
  readonly #ways = new Map<number, Way>();
  #resets = 0;

  constructor(program: Program, backward: Automaton) {
    this.#program = program;
    this.#backward = backward;
  }

  /** The slots of a match. `rows` are those of the backward automaton, by the distance from the end. */
  find(text: string, start: number, end: number, rows: Int32Array): Int32Array {
    const { outs, neighbours, latinClasses, slots: count } = this.#program;
    const slots = new Int32Array(count).fill(-1);
    if (this.#resets !== this.#backward.resets) this.#ways.clear();
    this.#resets = this.#backward.resets;
    charge(end - start + 1);
    let from = this.#program.start;
    let before = neighbours[classBefore(this.#program, text, start)]!;
    for (let at = start; ;) {
      const { to, captures } = this.#wayFrom(from, rows[end - at]!, before);
      for (const slot of captures) slots[slot] = at;
      if (at === end) break;
      from = outs[to]!;
      const unit = text.charCodeAt(at);
      before = neighbours[unit < 256 ? latinClasses[unit]! : classAt(this.#program, text, at)]!;
      at += (unit & 0xfc00) === 0xd800 ? 2 : 1;
    }
    slots[0] = start;
    slots[1] = end;
    return slots;
  }

  #wayFrom(from: number, row: number, before: number): Way {
    const key = (row * 4 + before) * this.#program.size + from;
    const known = this.#ways.get(key);
    if (known !== undefined) return known;
    if (this.#ways.size >= maxWays) this.#ways.clear();
    charge(costOfWay + this.#program.size);
    const { instructions, passed } = this.#backward.stateAt(row);
    const way = firstWay(this.#program, from, instructions, conditionsBetween(before, passed));
    this.#ways.set(key, way);
    return way;
  }
}

/** The first way from an instruction to some others. No instruction is tried twice, so that loops that match nothing end. */
function firstWay({ size, operations, outs, args }: Program, start: number, wanted: Uint16Array, held: number): Way {
  const tried = new Uint8Array(size);
  /** What is still to try, with the number of captures before it. */
  const stack: number[] = [start, 0];
  const captures: number[] = [];
  while (stack.length > 0) {
    captures.length = stack.pop()!;
    for (let at = stack.pop()!; tried[at] === 0; at = outs[at]!) {
      tried[at] = 1;
      const does = operations[at]!;
      if (does === operation.alternative || does === operation.alternativeMatch) stack.push(args[at]!, captures.length);
      else if (does === operation.capture) captures.push(args[at]!);
      else if (does === operation.assertion ? (args[at]! & ~held) !== 0 : does !== operation.none) {
        if (wanted.includes(at)) return { to: at, captures };
        break;
      }
    }
  }
  throw new Error("a match that was found has no way to its end");
}
