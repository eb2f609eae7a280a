import type { ObjectRef } from "../../../core/object/index.ts";
import type { AddonProgress, AddonOutcome } from "../../deploy/index.ts";

/** How many objects a deploy, a withdrawal or a repair has changed, and the Helm releases that it has worked on. */
type RunChanges = {
  created: number;
  updated: number;
  recreated: number;
  deleted: number;
  /** Those that it has deleted. */
  readonly deletedObjects: ObjectRef[];
  /** `apps/redis revision 2`, each once. */
  readonly releases: Set<string>;
  /** Whether a plan was run at all. */
  planned: boolean;
};

/** The outcome of a deploy, a withdrawal or a repair, and what it has changed. */
export type CollectedResult = { readonly outcome: AddonOutcome; readonly changes: RunChanges };

export async function collectResult(progress: AsyncIterable<AddonProgress>): Promise<CollectedResult> {
  let outcome: AddonOutcome | undefined;
  const collector = new ChangeCollector();
  for await (const event of progress) {
    if (event.type === "settled") outcome = event.outcome;
    else collector.add(event);
  }
  if (outcome === undefined) throw new TypeError("progress has ended without an outcome");
  return { outcome, changes: collector.changes };
}

class ChangeCollector {
  readonly changes: RunChanges = {
    created: 0,
    updated: 0,
    recreated: 0,
    deleted: 0,
    deletedObjects: [],
    releases: new Set(),
    planned: false,
  };
  /** By the id of its step, how an object is changed. */
  readonly #planned = new Map<string, "created" | "updated" | "recreated">();

  add({ feature, event }: Extract<AddonProgress, { readonly type: "progress" }>): void {
    if (event.type === "planned") {
      this.changes.planned = true;
      const { release, steps } = event.plan;
      if (feature === "Helm" && release !== undefined)
        this.changes.releases.add(`${release.namespace}/${release.name} revision ${release.revision}`);
      for (const { id, action } of steps)
        if (action.verb === "apply" && action.change !== "unchanged") this.#planned.set(id, action.change);
    } else if (event.type === "finished" && event.verb === "delete") {
      this.changes.deleted++;
      this.changes.deletedObjects.push(event.ref);
    } else if (event.type === "finished" && event.verb === "apply") {
      const change = this.#planned.get(event.id ?? "");
      if (change !== undefined) this.changes[change]++;
    }
  }
}
