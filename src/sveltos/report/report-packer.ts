import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import { compareRefs, type Match } from "../evaluate/index.ts";
import { firstPart } from "../api/index.ts";

/** How much one part of a report holds. A match that is larger by itself has a part of its own. */
type PartLimits = { readonly matches: number; readonly bytes: number };

/** As many matches as an EndpointSlice has endpoints; and few enough bytes that a change of one match costs little. */
const defaultLimits: PartLimits = { matches: 100, bytes: 64 * 1024 };

type Part = { readonly matches: Map<string, Match>; bytes: number };
type Place = { readonly part: number; readonly bytes: number };

/**
 * Divides the matches of a report into parts, so that a change of one match changes one part, and no part is too large to be
 * stored. Compare the slices of the EndpointSlice controller.
 *
 * A match stays in its part. A further part loses matches to others only when it goes as a whole, so that parts can be written
 * first, then the report that names them, and none of the matches is ever missing.
 */
export class ReportPacker {
  readonly #sizeOf: (match: Match) => number;
  readonly #limits: PartLimits;
  readonly #parts = new Map<number, Part>([[firstPart, emptyPart()]]);
  readonly #places = new Map<string, Place>();
  /** Where matches were before this packer, by key. */
  readonly #previous: Map<string, number>;
  /** No number is given twice: a reader may still see the part that had it. */
  #highest: number;
  #matches: readonly Match[] = [];

  /** `existing`: what the parts of the existing report hold. */
  constructor(
    existing: Iterable<readonly [number, readonly ObjectRef[]]>,
    sizeOf: (match: Match) => number,
    limits: PartLimits = defaultLimits,
  ) {
    this.#sizeOf = sizeOf;
    this.#limits = limits;
    this.#previous = new Map([...existing].flatMap(([part, refs]) => refs.map((ref) => [keyOf(ref), part] as const)));
    this.#highest = [...this.#previous.values()].reduce((most, part) => Math.max(most, part), firstPart);
  }

  /** The numbers of all parts, in ascending order. The first one always exists. */
  get parts(): readonly number[] {
    return [...this.#parts.keys()].toSorted((a, b) => a - b);
  }

  /** The matches of a part, in the order of reports. */
  matchesIn(part: number): readonly Match[] {
    return [...(this.#parts.get(part)?.matches.values() ?? [])].toSorted((a, b) => compareRefs(a.ref, b.ref));
  }

  /** Takes over the matches, which are in the order of reports. Returns the parts that have changed. */
  pack(matches: readonly Match[]): ReadonlySet<number> {
    const changed = new Set<number>();
    const added: Match[] = [];
    const removed = new Set<string>();
    for (const [before, after] of changesBetween(this.#matches, matches)) {
      if (before === undefined) added.push(after);
      else if (after === undefined) removed.add(keyOf(before.ref));
      else this.#replace(after, changed);
    }
    // A list that is in another order than before removes and adds one match.
    const moved = added.filter((match) => removed.delete(keyOf(match.ref)));
    for (const match of moved) this.#replace(match, changed);
    for (const key of removed) changed.add(this.#remove(key));
    const isMoved = new Set(moved);
    for (const match of this.#restore(
      added.filter((each) => !isMoved.has(each)),
      changed,
    ))
      changed.add(this.#add(match));
    if (removed.size > 0) this.#merge(changed);
    this.#matches = matches;
    return changed;
  }

  /** Puts matches into the parts that they were in before this packer. Returns those for which that is not possible. */
  #restore(added: readonly Match[], changed: Set<number>): readonly Match[] {
    if (this.#previous.size === 0) return added;
    const groups = Map.groupBy(added, (match) => this.#previous.get(keyOf(match.ref)));
    this.#previous.clear();
    const left: Match[] = [];
    for (const [number, matches] of groups) {
      const sizes = matches.map(this.#sizeOf);
      const isRoomy = matches.length <= this.#limits.matches && sizes.reduce((sum, bytes) => sum + bytes, 0) <= 2 * this.#limits.bytes;
      // A further part that is too large goes as a whole; the first one is written last and may lose some of its matches.
      const isKept = number !== undefined && (isRoomy || matches.length === 1);
      for (const [at, match] of matches.entries()) {
        const hasRoom = number === firstPart && this.#hasRoom(this.#partAt(number), 1, sizes[at]!);
        if (isKept || hasRoom) this.#put(match, number, sizes[at]!);
        else left.push(match);
      }
      if (number !== undefined) changed.add(number);
    }
    return left;
  }

  #remove(key: string): number {
    const { part: number, bytes } = this.#places.get(key)!;
    const part = this.#parts.get(number)!;
    this.#places.delete(key);
    part.matches.delete(key);
    part.bytes -= bytes;
    return number;
  }

  /** A part that the new match makes too large goes as a whole. */
  #replace(match: Match, changed: Set<number>): void {
    const number = this.#remove(keyOf(match.ref));
    const bytes = this.#sizeOf(match);
    const part = this.#parts.get(number)!;
    changed.add(number);
    if (part.matches.size === 0 || part.bytes + bytes <= 2 * this.#limits.bytes) return this.#put(match, number, bytes);
    if (number === firstPart) return void changed.add(this.#add(match));
    this.#parts.delete(number);
    for (const each of [...part.matches.values(), match]) changed.add(this.#add(each));
  }

  #add(match: Match): number {
    const bytes = this.#sizeOf(match);
    const number = this.#partFor(bytes);
    this.#put(match, number, bytes);
    return number;
  }

  #put(match: Match, number: number, bytes: number): void {
    const part = this.#partAt(number);
    part.matches.set(keyOf(match.ref), match);
    part.bytes += bytes;
    this.#places.set(keyOf(match.ref), { part: number, bytes });
  }

  /** The first part with room, or a new one. */
  #partFor(bytes: number): number {
    for (const [number, part] of this.#parts) if (this.#hasRoom(part, 1, bytes)) return number;
    return ++this.#highest;
  }

  #partAt(number: number): Part {
    let part = this.#parts.get(number);
    if (part === undefined) this.#parts.set(number, (part = emptyPart()));
    return part;
  }

  #hasRoom(part: Part, matches: number, bytes: number): boolean {
    return part.matches.size === 0 || (part.matches.size + matches <= this.#limits.matches && part.bytes + bytes <= this.#limits.bytes);
  }

  /** Drops parts that are empty, or small enough to be put into another one. */
  #merge(changed: Set<number>): void {
    for (const number of this.parts.slice(1)) {
      const part = this.#parts.get(number)!;
      const isSmall = 4 * part.matches.size <= this.#limits.matches && 4 * part.bytes <= this.#limits.bytes;
      if (!isSmall) continue;
      const target = this.parts.find((other) => other < number && this.#hasRoom(this.#parts.get(other)!, part.matches.size, part.bytes));
      if (target === undefined) continue;
      this.#parts.delete(number);
      changed.add(number);
      if (part.matches.size > 0) changed.add(target);
      for (const [key, match] of part.matches) this.#put(match, target, this.#places.get(key)!.bytes);
    }
  }
}

function emptyPart(): Part {
  return { matches: new Map(), bytes: 0 };
}

type Change = readonly [Match, Match] | readonly [Match, undefined] | readonly [undefined, Match];

/** The differences of two sorted lists. Matches are compared by identity: one that was not evaluated again is the same. */
function* changesBetween(before: readonly Match[], after: readonly Match[]): Iterable<Change> {
  let [left, right] = [0, 0];
  while (left < before.length || right < after.length) {
    const [one, other] = [before[left], after[right]];
    if (one === other) {
      left++;
      right++;
    } else {
      const order = one === undefined ? 1 : other === undefined ? -1 : compareObjects(one.ref, other.ref);
      if (order <= 0) left++;
      if (order >= 0) right++;
      if (order < 0) yield [one!, undefined];
      else if (order > 0) yield [undefined, other!];
      else yield [one!, other!];
    }
  }
}

/** One object in two versions of its kind is the same. */
function compareObjects(a: ObjectRef, b: ObjectRef): number {
  return keyOf(a) === keyOf(b) ? 0 : compareRefs(a, b);
}
