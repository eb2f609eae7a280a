import { equal, type KubeObject } from "../../core/object/index.ts";
import type { Draft } from "./draft.ts";
import type { Reference, Setting } from "./drafting.ts";
import type { Occurrence } from "./occurrence.ts";

/** What a draft was made of. */
type Sources = {
  readonly setting: Setting;
  readonly occurrence: Occurrence;
  readonly found: readonly (readonly [Reference, KubeObject | undefined])[];
};

/** What is compared of the sources, and no more: a whole setting has the names of all objects in it. */
type Remembered = Pick<Sources, "found"> &
  Pick<Setting, "templates" | "trigger"> & {
    readonly cluster: KubeObject;
    readonly matches: Occurrence["matches"];
    readonly draft: Draft;
  };

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
    // The same, but of this pass: the report that it first came from need not be kept for it.
    this.next.set(key, { ...remembered, trigger: setting.trigger, cluster: setting.cluster.object, matches: occurrence.matches });
    return remembered.draft;
  }

  keep(draft: Draft, { setting, occurrence, found }: Sources): void {
    if (draft.state !== "made") return;
    const { templates, trigger, cluster } = setting;
    this.next.set(keyOf(occurrence), { templates, trigger, cluster: cluster.object, matches: occurrence.matches, found, draft });
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

function holds(before: Remembered, occurrence: Occurrence, setting: Setting): boolean {
  const { found, draft } = before;
  return (
    before.templates === setting.templates &&
    isSameTrigger(before.trigger, setting.trigger) &&
    isSame(before.cluster, setting.cluster.object) &&
    isSame(before.matches, occurrence.matches) &&
    found.every(([reference, object]) => isSame(object, setting.find(reference))) &&
    (draft.state === "failed" || draft.objects.every((object) => setting.names.isNameOf(object)))
  );
}

/** Of a trigger's metadata only the name is used; the rest changes whenever its status is written. */
function isSameTrigger(one: Setting["trigger"], other: Setting["trigger"]): boolean {
  if (one === other) return true;
  const [{ metadata: a, ...before }, { metadata: b, ...now }] = [one, other];
  return a.name === b.name && equal(before, now);
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || equal(one, other);
}
