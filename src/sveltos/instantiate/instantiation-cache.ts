import type { EventTrigger } from "../api/index.ts";
import { equal, type KubeObject } from "../../core/object/index.ts";
import { EventTracker } from "./event-tracker.ts";
import type { TextRenderer } from "./event-templates.ts";
import { eventKeysFor } from "./generated-labels.ts";
import type { OccurrenceResult } from "./instantiate-occurrence.ts";
import type { InstantiateInput } from "./instantiate.ts";
import type { HubReference, InstantiationContext } from "./occurrence-builder.ts";
import type { Occurrence } from "./occurrence.ts";

/** The inputs of an occurrence's result. */
type OccurrenceInputs = {
  readonly context: InstantiationContext;
  readonly occurrence: Occurrence;
  readonly found: readonly (readonly [HubReference, KubeObject | undefined])[];
};

/** Only the inputs that are compared: a whole context would retain the names of all objects. */
type CacheEntry = Pick<OccurrenceInputs, "found"> &
  Pick<InstantiationContext, "templates" | "trigger"> & {
    readonly cluster: KubeObject;
    readonly matches: Occurrence["matches"];
    readonly result: OccurrenceResult;
  };

/** What all events of one trigger in one cluster have in common. */
type SharedInputs = Pick<InstantiationContext, "templates" | "trigger"> & { readonly cluster: KubeObject; readonly eventSource: string };

/**
 * Caches the occurrences of one trigger in one cluster from pass to pass, so that only matching objects that have changed
 * are rendered again. It has no effect on results.
 */
export class InstantiationCache {
  /** By event, by occurrence. */
  #current = new Map<string, Map<string, CacheEntry>>();
  #next = new Map<string, Map<string, CacheEntry>>();
  #tracked: (SharedInputs & { readonly tracker: EventTracker }) | undefined;

  /**
   * Tracks the events of the trigger for as long as what they share stays the same. Undefined when one event may depend on
   * another: one profile for all of them, or names that the user has chosen.
   */
  trackerFor(input: InstantiateInput, eventSource: string, templates: TextRenderer): EventTracker | undefined {
    const { trigger, cluster, find } = input;
    const shared = { templates, trigger, cluster: cluster.object, eventSource };
    const known = this.#tracked;
    this.#tracked = undefined;
    if (!hasIndependentEvents(trigger)) return undefined;
    const isSameAsBefore = known !== undefined && isSameShared(known, shared) && known.tracker.isCurrent(find);
    const tracker = isSameAsBefore ? known.tracker : new EventTracker(eventKeysFor(trigger.metadata.name, cluster));
    this.#tracked = { ...shared, tracker };
    return tracker;
  }

  /** The result of the last pass, if all its inputs are the same. */
  get(event: string, occurrence: Occurrence, context: InstantiationContext): OccurrenceResult | undefined {
    const entry = this.#current.get(event)?.get(keyOf(occurrence));
    if (entry === undefined || !isValid(entry, occurrence, context)) return undefined;
    // Takes over the inputs of this pass, so that the report of the last one can be freed.
    const { trigger, cluster } = context;
    this.#put(event, occurrence, { ...entry, trigger, cluster: cluster.object, matches: occurrence.matches });
    return entry.result;
  }

  set(event: string, result: OccurrenceResult, { context, occurrence, found }: OccurrenceInputs): void {
    if (result.state !== "instantiated") return;
    const { templates, trigger, cluster } = context;
    this.#put(event, occurrence, { templates, trigger, cluster: cluster.object, matches: occurrence.matches, found, result });
  }

  /** Drops the entries that the pass did not use, of the events that it has looked at; without any, of all. */
  endPass(events?: ReadonlySet<string>): void {
    if (events === undefined) this.#current = this.#next;
    for (const event of events ?? []) {
      const next = this.#next.get(event);
      if (next === undefined) this.#current.delete(event);
      else this.#current.set(event, next);
    }
    this.#next = new Map();
  }

  #put(event: string, occurrence: Occurrence, entry: CacheEntry): void {
    let entries = this.#next.get(event);
    if (entries === undefined) this.#next.set(event, (entries = new Map()));
    entries.set(keyOf(occurrence), entry);
  }
}

/** Each event has its own profile and content, with names that are not chosen by the user. */
function hasIndependentEvents({ oneForEvent, profileNameFormat, configMapGenerator, secretGenerator }: EventTrigger): boolean {
  return oneForEvent && profileNameFormat === "" && configMapGenerator.length === 0 && secretGenerator.length === 0;
}

function isSameShared(one: SharedInputs, other: SharedInputs): boolean {
  return (
    one.templates === other.templates &&
    one.eventSource === other.eventSource &&
    isSameTrigger(one.trigger, other.trigger) &&
    isSame(one.cluster, other.cluster)
  );
}

function keyOf({ origin }: Occurrence): string {
  return JSON.stringify([origin.eventSource, origin.resource, origin.kind]);
}

function isValid(before: CacheEntry, occurrence: Occurrence, context: InstantiationContext): boolean {
  const { found, result } = before;
  return (
    before.templates === context.templates &&
    isSameTrigger(before.trigger, context.trigger) &&
    isSame(before.cluster, context.cluster.object) &&
    isSame(before.matches, occurrence.matches) &&
    found.every(([reference, object]) => isSame(object, context.find(reference))) &&
    (result.state !== "instantiated" || result.objects.every((object) => context.names.isNameOf(object)))
  );
}

/** Compares only the name of the metadata; the rest changes with every write of the status. */
function isSameTrigger(one: InstantiationContext["trigger"], other: InstantiationContext["trigger"]): boolean {
  if (one === other) return true;
  const [{ metadata: a, ...before }, { metadata: b, ...now }] = [one, other];
  return a.name === b.name && equal(before, now);
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || equal(one, other);
}
