import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import type { Match } from "./evaluation-result.ts";

/** A match and the index of the selector that found it. */
export type SelectorMatch = { readonly match: Match; readonly selector: number };

/**
 * The matches in the order of reports. Sorts once, at the first `list`; later changes are inserted by binary search.
 */
export class SortedMatches {
  readonly #mayRepeat: boolean;
  readonly #entries = new Map<string, SelectorMatch>();
  #sorted: Match[] | undefined;

  /** `mayRepeat`: selectors may find one object in two versions of its kind. */
  constructor(mayRepeat: boolean) {
    this.#mayRepeat = mayRepeat;
  }

  put(key: string, entry: SelectorMatch): void {
    const before = this.#entries.get(key);
    this.#entries.set(key, entry);
    if (this.#sorted === undefined) return;
    const at = positionIn(this.#sorted, (before ?? entry).match.ref);
    if (before === undefined) this.#sorted.splice(at, 0, entry.match);
    else this.#sorted[at] = entry.match;
  }

  delete(key: string): void {
    const before = this.#entries.get(key);
    if (before === undefined) return;
    this.#entries.delete(key);
    if (this.#sorted !== undefined) this.#sorted.splice(positionIn(this.#sorted, before.match.ref), 1);
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Ordered by namespace and name. Of an object that was found in two versions, the match of the first selector is listed. */
  list(): readonly Match[] {
    this.#sorted ??= [...this.#entries.values()].map(({ match }) => match).toSorted((a, b) => compareRefs(a.ref, b.ref));
    return this.#mayRepeat ? this.#withoutRepeats() : this.#sorted.slice();
  }

  #withoutRepeats(): readonly Match[] {
    const found = new Map<string, SelectorMatch>();
    for (const entry of this.#entries.values()) {
      const key = keyOf(entry.match.ref);
      const before = found.get(key);
      if (before === undefined || entry.selector < before.selector) found.set(key, entry);
    }
    return [...found.values()].map(({ match }) => match).toSorted((a, b) => compareRefs(a.ref, b.ref));
  }
}

/** The order of reports: namespace, name, kind, group, version. */
export function compareRefs(a: ObjectRef, b: ObjectRef): number {
  return (
    compare(a.namespace, b.namespace) ||
    compare(a.name, b.name) ||
    compare(a.kind, b.kind) ||
    compare(a.group, b.group) ||
    compare(a.version, b.version)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The index of a ref in the list, or where to insert it. */
function positionIn(sorted: readonly Match[], ref: ObjectRef): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareRefs(sorted[middle]!.ref, ref) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
