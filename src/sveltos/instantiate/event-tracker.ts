import { equal, keyOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { Match } from "../evaluate/index.ts";
import type { HubReference } from "./occurrence-builder.ts";

/** What one event has: its matches (several of one name, if their kinds differ), its generated objects, and its last result. */
type TrackedEvent = {
  readonly matches: Set<Match>;
  readonly objects: Set<KubeObject>;
  references: ReadonlyMap<string, HubReference>;
  profiles: readonly string[];
};

/** The matches and generated objects of some events. */
type EventScope = {
  readonly events: ReadonlySet<string>;
  readonly matches: readonly Match[];
  readonly existing: readonly KubeObject[];
};

/** The result of one pass for one event. */
export type EventOutcome = {
  readonly references: ReadonlyMap<string, HubReference>;
  readonly profiles: readonly string[];
  /** Nothing was to be done. Until its input changes, nothing will be. */
  readonly isSettled: boolean;
};

/** The event of a matching object, and of a generated one; undefined for objects of others. */
export type EventKeys = { ofMatch(ref: ObjectRef): string; ofObject(object: KubeObject): string | undefined };

/**
 * Tracks the events of one trigger in one cluster from pass to pass, so that a pass looks only at those that have changed or
 * are not settled. Matches and objects are compared by identity first, so that the rest costs next to nothing.
 */
export class EventTracker {
  readonly #keys: EventKeys;
  readonly #events = new Map<string, TrackedEvent>();
  readonly #unsettled = new Set<string>();
  readonly #matches = new ItemSet<Match>();
  readonly #objects = new ItemSet<KubeObject>();
  /** What references have led to, and how many events have each. */
  readonly #found = new Map<string, { readonly reference: HubReference; readonly object: KubeObject | undefined; users: number }>();

  constructor(keys: EventKeys) {
    this.#keys = keys;
  }

  /** Takes over the matches and objects of a pass. Returns the events to look at. */
  update(matches: readonly Match[], existing: readonly KubeObject[]): EventScope {
    const changed = new Set(this.#unsettled);
    this.#updateMatches(matches, changed);
    this.#updateObjects(existing, changed);
    const events = [...changed].flatMap((key) => this.#events.get(key) ?? []);
    return {
      events: changed,
      matches: events.flatMap((event) => [...event.matches]),
      existing: events.flatMap((event) => [...event.objects]),
    };
  }

  /** Records the results of the events that were looked at. An event of which nothing is left is forgotten. */
  record(
    events: Iterable<string>,
    outcomeOf: (event: string) => EventOutcome,
    find: (reference: HubReference) => KubeObject | undefined,
  ): void {
    for (const key of events) {
      const event = this.#events.get(key);
      const { references, profiles, isSettled } = outcomeOf(key);
      if (isSettled) this.#unsettled.delete(key);
      else this.#unsettled.add(key);
      if (event === undefined) continue;
      this.#count(event.references, references, find);
      Object.assign(event, { references, profiles });
      if (event.matches.size === 0 && event.objects.size === 0) this.#forget(key, event);
    }
  }

  /** Whether every reference still leads to the same object. */
  isCurrent(find: (reference: HubReference) => KubeObject | undefined): boolean {
    return [...this.#found.values()].every(({ reference, object }) => isSame(object, find(reference)));
  }

  references(): readonly HubReference[] {
    return [...this.#found.values()].map(({ reference }) => reference);
  }

  profiles(): readonly string[] {
    return [...this.#events.values()].flatMap(({ profiles }) => profiles).toSorted();
  }

  #updateMatches(matches: readonly Match[], changed: Set<string>): void {
    const { added, removed } = this.#matches.update(matches, ({ ref }) => this.#keys.ofMatch(ref));
    const before = new Map(removed.map(([match]) => [keyOf(match.ref), match]));
    for (const [match, key] of removed) this.#events.get(key)?.matches.delete(match);
    for (const [match, key] of added) {
      this.#eventAt(key).matches.add(match);
      // A report that is read again has equal matches that are not the same.
      if (equal(before.get(keyOf(match.ref)), match)) before.delete(keyOf(match.ref));
      else changed.add(key);
    }
    for (const match of before.values()) changed.add(this.#keys.ofMatch(match.ref));
  }

  #updateObjects(existing: readonly KubeObject[], changed: Set<string>): void {
    const { added, removed } = this.#objects.update(existing, (object) => this.#keys.ofObject(object) ?? objectOfOthers);
    for (const [object, key] of added) {
      if (key === objectOfOthers) continue;
      changed.add(key);
      this.#eventAt(key).objects.add(object);
    }
    for (const [object, key] of removed) {
      if (key === objectOfOthers) continue;
      changed.add(key);
      this.#events.get(key)?.objects.delete(object);
    }
  }

  #eventAt(key: string): TrackedEvent {
    let event = this.#events.get(key);
    if (event === undefined)
      this.#events.set(key, (event = { matches: new Set(), objects: new Set(), references: new Map(), profiles: [] }));
    return event;
  }

  #forget(key: string, event: TrackedEvent): void {
    this.#count(event.references, new Map(), () => undefined);
    this.#events.delete(key);
    this.#unsettled.delete(key);
  }

  #count(
    before: ReadonlyMap<string, HubReference>,
    after: ReadonlyMap<string, HubReference>,
    find: (reference: HubReference) => KubeObject | undefined,
  ): void {
    for (const [id, reference] of after) {
      const known = this.#found.get(id);
      if (known === undefined) this.#found.set(id, { reference, object: find(reference), users: 1 });
      else if (!before.has(id)) known.users++;
    }
    for (const id of before.keys()) {
      const known = this.#found.get(id);
      if (known === undefined || after.has(id)) continue;
      if (--known.users === 0) this.#found.delete(id);
    }
  }
}

/** Instead of the key of an event. */
const objectOfOthers = "of others";

/** The items of the last pass by identity, each with its event. */
class ItemSet<T extends object> {
  readonly #items = new Map<T, { readonly key: string; pass: number }>();
  #pass = 0;

  /** Takes over the items of a pass. Those that stay cost one look-up each, however many there are. */
  update(items: readonly T[], keyOfItem: (item: T) => string) {
    const pass = ++this.#pass;
    const added: (readonly [T, string])[] = [];
    const removed: (readonly [T, string])[] = [];
    let kept = 0;
    const before = this.#items.size;
    for (const item of items) {
      const known = this.#items.get(item);
      if (known === undefined) {
        const key = keyOfItem(item);
        added.push([item, key]);
        this.#items.set(item, { key, pass });
      } else if (known.pass !== pass) {
        known.pass = pass;
        kept++;
      }
    }
    if (kept === before) return { added, removed };
    for (const [item, known] of this.#items) {
      if (known.pass === pass) continue;
      removed.push([item, known.key]);
      this.#items.delete(item);
    }
    return { added, removed };
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || equal(one, other);
}
