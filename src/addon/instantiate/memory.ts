import { equal, type KubeObject } from "../../object/index.ts";
import type { Draft } from "./draft.ts";
import type { Reference, Setting } from "./drafting.ts";
import type { Occurrence } from "./occurrence.ts";

/** What a draft was made of. */
type Sources = {
  readonly setting: Setting;
  readonly occurrence: Occurrence;
  readonly found: readonly (readonly [Reference, KubeObject | undefined])[];
};

type Remembered = Sources & { readonly draft: Draft };

/**
 * Keeps the drafts of one trigger in one cluster from pass to pass, so that of many matching objects only those are
 * rendered again that changed. It changes nothing but the time that a pass takes.
 */
export class DraftMemory {
  private drafts = new Map<string, Remembered>();
  private next = new Map<string, Remembered>();

  /** The draft of the last pass, if it would be made again just so. */
  recall(occurrence: Occurrence, setting: Setting): Draft | undefined {
    const key = keyOf(occurrence);
    const remembered = this.drafts.get(key);
    if (remembered === undefined || !holds(remembered, occurrence, setting)) return undefined;
    this.next.set(key, remembered);
    return remembered.draft;
  }

  keep(draft: Draft, sources: Sources): void {
    if (draft.state === "made") this.next.set(keyOf(sources.occurrence), { ...sources, draft });
  }

  /** Forgets what the pass that ends here had no use for. */
  endPass(): void {
    this.drafts = this.next;
    this.next = new Map();
  }
}

function keyOf({ origin }: Occurrence): string {
  return JSON.stringify([origin.eventSource, origin.resource, origin.kind]);
}

function holds({ setting: before, occurrence: then, found, draft }: Remembered, occurrence: Occurrence, setting: Setting): boolean {
  return (
    before.templates === setting.templates &&
    isSame(before.trigger, setting.trigger) &&
    isSame(before.cluster.object, setting.cluster.object) &&
    isSame(then.matches, occurrence.matches) &&
    found.every(([reference, object]) => isSame(object, setting.find(reference))) &&
    (draft.state === "failed" || draft.objects.every((object) => setting.names.isNameOf(object)))
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || equal(one, other);
}
