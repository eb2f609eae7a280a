import { charge } from "../../core/cost/index.ts";
import type { Program } from "./program.ts";

/** Where a walk goes from a state over a character: the instructions that are next, and whether what is looked for is found before it. */
type Step = { readonly instructions: Uint16Array; readonly isFound: boolean };

/** Makes a step from the instructions of a state, the neighbour that was passed last, and the class of the next character. */
export type Stepper = (instructions: Uint16Array, passed: number, characterClass: number) => Step;

/** The instructions that are next, and the neighbour that was passed last. */
type State = { readonly instructions: Uint16Array; readonly passed: number };

/** The states of one automaton take about so many bytes at most. */
const maxBytes = 2 ** 20;
const bytesPerState = 200;
const bytesPerInstruction = 8;
/** States that are made for fewer characters each are not worth making. */
const charactersPerState = 10;

/** The automaton has no room for the states of this pattern and text. */
export class Exhausted extends Error {}

/**
 * A deterministic automaton that is made while it is walked through. Its states are known by the place of their rows in a table, and
 * a row has a column for each class of characters. Models RE2's DFA, which throws its states away when they are too many, and gives up
 * when that happens too often.
 */
export class Automaton {
  /** The row without instructions, from which nothing is found. */
  static readonly dead = 0;
  readonly #program: Program;
  readonly #stepper: Stepper;
  readonly #begin: Uint16Array;
  /** The rows that walks begin at, by neighbour. */
  #beginnings: number[] = [];
  readonly #rows = new Map<string, number>();
  readonly #states: State[] = [];
  #bytes = 0;
  #walked = 0;
  #resets = 0;
  /** By row and class: twice the next row, and one more if what is looked for is found before the character; -1 if not known yet. */
  table = new Int32Array(0);

  /** Walks begin with some instructions. */
  constructor(program: Program, stepper: Stepper, begin: Uint16Array) {
    this.#begin = begin;
    this.#program = program;
    this.#stepper = stepper;
    this.#clear();
  }

  /** How often all states were thrown away. Rows are good until then. */
  get resets(): number {
    return this.#resets;
  }

  /** The row that a walk begins at, beside a neighbour. */
  beginning(passed: number): number {
    return (this.#beginnings[passed] ??= this.#rowOf(this.#begin, passed));
  }

  #rowOf(instructions: Uint16Array, passed: number): number {
    const key = `${passed}:${instructions.join()}`;
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const { classes } = this.#program;
    const row = this.#states.length * classes;
    this.#bytes += bytesPerState + 4 * classes + bytesPerInstruction * instructions.length;
    this.#states.push({ instructions, passed });
    this.#rows.set(key, row);
    if (row + classes > this.table.length) this.#grow();
    return row;
  }

  stateAt(row: number): State {
    return this.#states[row / this.#program.classes]!;
  }

  /** Makes the entry of the table for a state and a class of characters, after a walk over so many characters. */
  step(row: number, characterClass: number, walked: number): number {
    const { instructions, passed } = this.stateAt(row);
    charge(this.#program.size);
    const next = this.#stepper(instructions, passed, characterClass);
    this.#walked += walked;
    const isReset = this.#bytes > maxBytes;
    if (isReset) this.#reset();
    const target =
      next.instructions.length === 0 ? Automaton.dead : this.#rowOf(next.instructions, this.#program.neighbours[characterClass]!);
    const entry = 2 * target + Number(next.isFound);
    if (!isReset) this.table[row + characterClass] = entry;
    return entry;
  }

  /** Counts characters that were walked over. */
  walk(characters: number): void {
    this.#walked += characters;
  }

  #reset(): void {
    if (this.#walked < charactersPerState * this.#states.length) throw new Exhausted();
    this.#resets++;
    this.#clear();
  }

  #clear(): void {
    this.#rows.clear();
    this.#beginnings = [];
    this.#states.length = 0;
    this.#walked = 0;
    this.#bytes = 0;
    this.table = new Int32Array(16 * this.#program.classes).fill(-1);
    this.#rowOf(new Uint16Array(0), 0);
    this.table.fill(0, 0, this.#program.classes);
  }

  #grow(): void {
    const larger = new Int32Array(2 * this.table.length).fill(-1);
    larger.set(this.table);
    this.table = larger;
  }
}
