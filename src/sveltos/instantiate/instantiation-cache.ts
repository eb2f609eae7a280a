import { equal, type KubeObject } from "../../core/object/index.ts";
import type { OccurrenceResult } from "./instantiate-occurrence.ts";
import type { HubReference, InstantiationContext } from "./occurrence-builder.ts";
import type { Occurrence } from "./occurrence.ts";

/** What a draft was made of. */
type OccurrenceInputs = {
  readonly context: InstantiationContext;
  readonly occurrence: Occurrence;
  readonly found: readonly (readonly [HubReference, KubeObject | undefined])[];
};

/** What is compared of the sources, and no more: a whole setting has the names of all objects in it. */
type CacheEntry = Pick<OccurrenceInputs, "found"> &
  Pick<InstantiationContext, "templates" | "trigger"> & {
    readonly cluster: KubeObject;
    readonly matches: Occurrence["matches"];
    readonly result: OccurrenceResult;
  };

/**
 * Keeps the drafts of one trigger in one cluster from pass to pass, so that of many matching objects only those are
 * rendered again that changed. It changes nothing but the time that a pass takes.
 */
export class InstantiationCache {
  private current = new Map<string, CacheEntry>();
  private next = new Map<string, CacheEntry>();

  /** The draft of the last pass, if it would be made again just so. */
  get(occurrence: Occurrence, context: InstantiationContext): OccurrenceResult | undefined {
    const key = keyOf(occurrence);
    const entry = this.current.get(key);
    if (entry === undefined || !isValid(entry, occurrence, context)) return undefined;
    // The same, but of this pass: the report that it first came from need not be kept for it.
    this.next.set(key, { ...entry, trigger: context.trigger, cluster: context.cluster.object, matches: occurrence.matches });
    return entry.result;
  }

  set(result: OccurrenceResult, { context, occurrence, found }: OccurrenceInputs): void {
    if (result.state !== "made") return;
    const { templates, trigger, cluster } = context;
    this.next.set(keyOf(occurrence), { templates, trigger, cluster: cluster.object, matches: occurrence.matches, found, result });
  }

  /** Forgets what the pass that ends here had no use for. */
  endPass(): void {
    this.current = this.next;
    this.next = new Map();
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

/** Of a trigger's metadata only the name is used; the rest changes whenever its status is written. */
function isSameTrigger(one: InstantiationContext["trigger"], other: InstantiationContext["trigger"]): boolean {
  if (one === other) return true;
  const [{ metadata: a, ...before }, { metadata: b, ...now }] = [one, other];
  return a.name === b.name && equal(before, now);
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || equal(one, other);
}
