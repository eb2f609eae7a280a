import { createHash } from "node:crypto";
import { Fault } from "../../fault/index.ts";
import { keyOf, titleOf, type KubeObject, type ObjectRef } from "../../object/index.ts";
import type { Plan } from "../plan/index.ts";
import { latestOf, releaseText, type Release, type Revision } from "../record/index.ts";
import { contentIn, type Survey } from "../survey/index.ts";

/** What a proposal rests on: when any of it has changed, it has to be drawn up again. Survives JSON. */
export type Basis = {
  /** The latest revision and the version of its record; 0 and "" when there is none. */
  readonly revision: number;
  readonly record: string;
  /** The objects that the plan touches, each with a digest of what it was; "" when it was not there. */
  readonly objects: readonly { readonly ref: ObjectRef; readonly digest: string }[];
};

export function basisOf(plan: Plan, revisions: readonly Revision[], objects: Survey["objects"]): Basis {
  const touched = new Map<string, ObjectRef>();
  for (const { action } of plan.steps) if (action.verb === "apply" || action.verb === "delete") touched.set(keyOf(action.ref), action.ref);
  const latest = latestOf(revisions);
  return {
    revision: latest?.revision ?? 0,
    record: latest?.stored?.resourceVersion ?? "",
    objects: [...touched].map(([key, ref]) => ({ ref, digest: digestOf(objects.get(key)?.live) })),
  };
}

/** Tells whether the records of the release are still the ones that a proposal rests on. */
export function restsOn({ revision, record }: Basis, revisions: readonly Revision[]): boolean {
  const latest = latestOf(revisions);
  return (latest?.revision ?? 0) === revision && (latest?.stored?.resourceVersion ?? "") === record;
}

/** Refuses what was drawn up for a release that has been changed since, or objects that have. */
export function checkBasis(basis: Basis, release: Release, revisions: readonly Revision[], objects: Survey["objects"]): void {
  const remedy = "draw up the plan again with sluice plan --save";
  if (!restsOn(basis, revisions)) {
    const latest = latestOf(revisions);
    const found = latest === undefined ? "none is there" : `the latest is revision ${latest.revision}, ${latest.state}`;
    const expected = basis.revision === 0 ? "no revision" : `revision ${basis.revision} as it was`;
    throw new Fault(`use the plan for release ${releaseText(release)}`, `it was drawn up for ${expected}, and ${found}: ${remedy}`, {
      final: true,
    });
  }
  const changed = basis.objects.filter(({ ref, digest }) => digestOf(objects.get(keyOf(ref))?.live) !== digest);
  if (changed.length === 0) return;
  const names = changed.map(({ ref }) => titleOf(ref)).join(", ");
  throw new Fault(`use the plan for release ${releaseText(release)}`, `${names} changed since it was drawn up: ${remedy}`, { final: true });
}

/** What an object is, but for its status and what the server sets by itself. */
function digestOf(object: KubeObject | undefined): string {
  return object === undefined
    ? ""
    : createHash("sha256")
        .update(JSON.stringify(contentIn(object)))
        .digest("hex");
}
