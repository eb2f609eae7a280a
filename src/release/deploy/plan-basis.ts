import { Fault } from "../../core/fault/index.ts";
import { keyOf, titleOf, type ObjectRef } from "../../core/object/index.ts";
import type { Action, Plan } from "../plan/index.ts";
import { latestOf, releaseText, type Release, type Revision } from "../record/index.ts";
import { withoutServerFields, type LiveState } from "../live/index.ts";
import { digestOf } from "./canonical-digest.ts";

/** What a proposal was computed from. When any of it changes, the proposal is stale. Survives JSON. */
export type PlanBasis = {
  /** The latest revision and the resourceVersion of its record; 0 and "" when there is none. */
  readonly revision: number;
  readonly record: string;
  readonly objects: readonly TouchedObject[];
};

/** An object that a plan applies or deletes, as it was. */
type TouchedObject = {
  readonly ref: ObjectRef;
  /** The digest of its content without status and server-managed metadata; "" when it did not exist. */
  readonly digest: string;
  /** The keys of a CRD's custom resources, when the CRD is deleted. */
  readonly inhabitants?: readonly string[];
  /** The uid of an object that was being deleted, which the plan waits for to go: its content does not count. */
  readonly deleting?: string;
};

export function planBasisOf(plan: Plan, revisions: readonly Revision[], live: LiveState): PlanBasis {
  const latest = latestOf(revisions);
  const objects = touchedBy(plan).map((action): TouchedObject => {
    const { ref, verb } = action;
    const inhabitants = verb === "delete" ? live.facts.get(keyOf(ref))?.inhabitants : undefined;
    const deleting = verb === "apply" ? action.deleting : undefined;
    return {
      ref,
      digest: stateOf(ref, live),
      ...(inhabitants === undefined ? {} : { inhabitants }),
      ...(deleting === undefined ? {} : { deleting }),
    };
  });
  return { revision: latest?.revision ?? 0, record: latest?.stored?.resourceVersion ?? "", objects };
}

type TouchingAction = Extract<Action, { verb: "apply" | "delete" }>;

/** The objects that a plan applies or deletes, each once. An object that is applied and then cleaned up counts as applied. */
function touchedBy({ steps }: Plan): readonly TouchingAction[] {
  const touched = new Map<string, TouchingAction>();
  for (const { action } of steps) {
    if (action.verb !== "apply" && action.verb !== "delete") continue;
    const key = keyOf(action.ref);
    if (action.verb === "apply" ? touched.get(key)?.verb !== "apply" : !touched.has(key)) touched.set(key, action);
  }
  return [...touched.values()];
}

/** Whether the records of the release are unchanged since the proposal. */
export function isBasedOn({ revision, record }: PlanBasis, revisions: readonly Revision[]): boolean {
  const latest = latestOf(revisions);
  return (latest?.revision ?? 0) === revision && (latest?.stored?.resourceVersion ?? "") === record;
}

const remedy = "draw up the plan again with sluice plan --save";

/** Throws when the release or an object has changed since the plan was made. */
export function checkPlanBasis(basis: PlanBasis, release: Release, revisions: readonly Revision[], live: LiveState): void {
  const refused = (why: string) => new Fault(`use the plan for release ${releaseText(release)}`, `${why}: ${remedy}`, { final: true });
  if (!isBasedOn(basis, revisions)) {
    const latest = latestOf(revisions);
    const found = latest === undefined ? "none is there" : `the latest is revision ${latest.revision}, ${latest.state}`;
    const expected = basis.revision === 0 ? "no revision" : `revision ${basis.revision} as it was`;
    throw refused(`it was drawn up for ${expected}, and ${found}`);
  }
  const changed = basis.objects.flatMap((touched) => changeSince(touched, live) ?? []);
  if (changed.length > 0) throw refused(`since it was drawn up, ${changed.join(", ")}`);
}

function changeSince({ ref, digest, inhabitants, deleting }: TouchedObject, live: LiveState): string | undefined {
  const now = stateOf(ref, live);
  if (deleting !== undefined && (now === "" || live.objects.get(keyOf(ref))?.live?.metadata.uid === deleting)) return undefined;
  if (digest !== now) return `${titleOf(ref)} was ${digest === "" ? "created" : now === "" ? "deleted" : "changed"}`;
  if (inhabitants === undefined) return undefined;
  const known = new Set(inhabitants);
  const fresh = live.facts.get(keyOf(ref))?.inhabitants?.filter((key) => !known.has(key)) ?? [];
  return fresh.length === 0 ? undefined : `${titleOf(ref)}, which is to be deleted, got objects of its kind`;
}

/** Includes the uid: a recreated object of the same name is another object. */
function stateOf(ref: ObjectRef, { objects }: LiveState): string {
  const live = objects.get(keyOf(ref))?.live;
  return live === undefined ? "" : digestOf(withoutServerFields(live));
}
