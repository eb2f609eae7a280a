import type { StoreEvent } from "./object-storage.ts";

/** The recent events of one resource, oldest first. */
export class WatchCache {
  #changes: StoreEvent[] = [];
  /** Events up to this revision are compacted. */
  #compacted: number;
  /** Whether there were events that are not here any more. */
  #hasForgotten = false;
  readonly #capacity: number;

  /** Keeps at least `capacity` events. A watch from an older revision gets Expired. */
  constructor(forgotten: number, capacity: number) {
    this.#compacted = forgotten;
    this.#capacity = capacity;
  }

  get oldest(): number {
    return this.#changes[0]?.revision ?? this.#compacted;
  }

  add(change: StoreEvent): void {
    const capacity = this.#capacity;
    this.#changes.push(change);
    if (this.#changes.length < 2 * capacity) return;
    this.#compacted = this.#changes[capacity - 1]!.revision;
    this.#changes = this.#changes.slice(capacity);
    this.#hasForgotten = true;
  }

  /** Drops the events up to `revision`. */
  compact(revision: number): void {
    if (revision <= this.#compacted) return;
    this.#compacted = revision;
    const kept = this.#changes.findIndex((change) => change.revision > revision);
    this.#changes = kept < 0 ? [] : this.#changes.slice(kept);
  }

  since(revision: number): readonly StoreEvent[] | undefined {
    if (revision < this.#compacted) return undefined;
    let from = this.#changes.length;
    while (from > 0 && this.#changes[from - 1]!.revision > revision) from--;
    return this.#changes.slice(from);
  }

  /** All events after `revision`, also from before the cache: there were none then. Undefined when some are compacted. */
  history(revision: number): readonly StoreEvent[] | undefined {
    return this.#hasForgotten ? this.since(revision) : this.since(Math.max(revision, this.#compacted));
  }
}
