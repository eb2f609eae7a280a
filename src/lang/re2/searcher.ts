import { charge } from "../../core/cost/index.ts";
import { Automaton, Exhausted } from "./automaton.ts";
import { GroupFinder } from "./group-finder.ts";
import { neighbour, operation, type Program } from "./program.ts";
import { backwardStepper, forwardStepper } from "./stepper.ts";
import { classAt, classBefore } from "./text-class.ts";

/** Where a match and its groups start and end: two for each, the match first; -1 for a group that matched nothing. */
export type Slots = ArrayLike<number>;

/** The longest record of a match that is kept for the next one. */
const keptRows = 2 ** 12;

/**
 * Finds matches by two automata, one step for each character: forward to where the first match ends, then backward to where it starts.
 * A search forward may look beyond the match, as that of Go does; all searches backward together pass a text once. Texts have to be
 * well-formed. Throws Exhausted.
 */
export class Searcher {
  readonly #program: Program;
  readonly #forward: Automaton;
  readonly #backward: Automaton;
  readonly #groups: GroupFinder;
  /** The rows of the backward automaton, by the distance from the end of the match. */
  #rows = new Int32Array(keptRows);

  constructor(program: Program) {
    this.#program = program;
    this.#forward = new Automaton(program, forwardStepper(program), Uint16Array.of(program.size));
    const matched = Uint16Array.from(program.operations.keys().filter((at) => program.operations[at] === operation.match));
    this.#backward = new Automaton(program, backwardStepper(program), matched);
    this.#groups = new GroupFinder(program, this.#backward);
  }

  /** Whether there is a match. */
  test(text: string): boolean {
    return this.#endOf(text, 0, true) >= 0;
  }

  /** The next match from a position on, without its groups. */
  find(text: string, from: number): Slots | undefined {
    const end = this.#endOf(text, from, false);
    return end < 0 ? undefined : [this.#startOf(text, from, end, false), end];
  }

  /** The next match from a position on, with its groups. */
  findGroups(text: string, from: number): Slots | undefined {
    const end = this.#endOf(text, from, false);
    if (end < 0) return undefined;
    // The rows that were passed are of no use if states were thrown away on the way. A second time there is room for them.
    for (let tries = 0; tries < 2; tries++) {
      const { resets } = this.#backward;
      const start = this.#startOf(text, from, end, true);
      const rows = this.#rows;
      if (rows.length > keptRows) this.#rows = new Int32Array(keptRows);
      if (resets === this.#backward.resets) return this.#groups.find(text, start, end, rows);
    }
    throw new Exhausted();
  }

  #endOf(text: string, from: number, isAnyEnough: boolean): number {
    const { latinClasses, landmark } = this.#program;
    const automaton = this.#forward;
    let row = this.#beginAt(text, from);
    let [waiting, waitingInWord] = this.#waiting();
    let { table } = automaton;
    let at = from;
    let counted = at;
    let end = -1;
    for (;;) {
      if (row === waiting || row === waitingInWord) {
        const next = text.indexOf(landmark, at);
        at = next < 0 ? text.length : next;
        row = this.#beginAt(text, at);
        ({ table } = automaton);
      }
      const unit = at < text.length ? text.charCodeAt(at) : -1;
      const characterClass = (unit & ~0xff) === 0 ? latinClasses[unit]! : classAt(this.#program, text, at);
      let entry = table[row + characterClass]!;
      if (entry < 0) {
        entry = automaton.step(row, characterClass, at - counted);
        [waiting, waitingInWord] = this.#waiting();
        ({ table } = automaton);
        counted = at;
      }
      if ((entry & 1) === 1) {
        end = at;
        if (isAnyEnough) break;
      }
      row = entry >> 1;
      if (row === Automaton.dead || unit < 0) break;
      at += (unit & 0xfc00) === 0xd800 ? 2 : 1;
    }
    automaton.walk(at - counted);
    charge(at - from + 1);
    return end;
  }

  #beginAt(text: string, at: number): number {
    return this.#forward.beginning(this.#program.neighbours[classBefore(this.#program, text, at)]!);
  }

  /** The rows from which a search may go on at the next landmark, as nothing is begun and no line. */
  #waiting(): readonly [number, number] {
    return this.#program.landmark === "" ? [-1, -1] : [this.#forward.beginning(neighbour.other), this.#forward.beginning(neighbour.word)];
  }

  #startOf(text: string, from: number, end: number, isRecorded: boolean): number {
    const { latinClasses, neighbours } = this.#program;
    const automaton = this.#backward;
    let row = automaton.beginning(neighbours[classAt(this.#program, text, end)]!);
    let { table } = automaton;
    let at = end;
    let counted = end;
    let start = end;
    for (;;) {
      if (isRecorded) this.#record(end - at, row);
      const unit = at > 0 ? text.charCodeAt(at - 1) : -1;
      const characterClass = (unit & ~0xff) === 0 ? latinClasses[unit]! : classBefore(this.#program, text, at);
      let entry = table[row + characterClass]!;
      if (entry < 0) {
        entry = automaton.step(row, characterClass, counted - at);
        ({ table } = automaton);
        counted = at;
      }
      if ((entry & 1) === 1) start = at;
      row = entry >> 1;
      if (row === Automaton.dead || at <= from) break;
      at -= (unit & 0xfc00) === 0xdc00 ? 2 : 1;
    }
    automaton.walk(counted - at);
    charge(end - at + 1);
    return start;
  }

  #record(distance: number, row: number): void {
    if (distance >= this.#rows.length) {
      const larger = new Int32Array(2 * this.#rows.length);
      larger.set(this.#rows);
      this.#rows = larger;
      charge(4 * larger.length);
    }
    this.#rows[distance] = row;
  }
}
