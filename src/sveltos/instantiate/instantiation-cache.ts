import { equal, type KubeObject } from "../../core/object/index.ts";
import type { OccurrenceResult } from "./instantiate-occurrence.ts";
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

/**
 * Caches the occurrences of one trigger in one cluster from pass to pass, so that only matching objects that have changed
 * are rendered again. It has no effect on results.
 */
export class InstantiationCache {
  #current = new Map<string, CacheEntry>();
  #next = new Map<string, CacheEntry>();

  /** The result of the last pass, if all its inputs are the same. */
  get(occurrence: Occurrence, context: InstantiationContext): OccurrenceResult | undefined {
    const key = keyOf(occurrence);
    const entry = this.#current.get(key);
    if (entry === undefined || !isValid(entry, occurrence, context)) return undefined;
    // Takes over the inputs of this pass, so that the report of the last one can be freed.
    this.#next.set(key, { ...entry, trigger: context.trigger, cluster: context.cluster.object, matches: occurrence.matches });
    return entry.result;
  }

  set(result: OccurrenceResult, { context, occurrence, found }: OccurrenceInputs): void {
    if (result.state !== "instantiated") return;
    const { templates, trigger, cluster } = context;
    this.#next.set(keyOf(occurrence), { templates, trigger, cluster: cluster.object, matches: occurrence.matches, found, result });
  }

  /** Drops entries that the pass did not use. */
  endPass(): void {
    this.#current = this.#next;
    this.#next = new Map();
  }
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
    (result.state === "failed" || result.objects.every((object) => context.names.isNameOf(object)))
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
