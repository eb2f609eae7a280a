import { Fault } from "../../core/fault/index.ts";
import { latestOf, releaseText, type Release, type Revision } from "../record/index.ts";

/**
 * The revision that a rollback goes back to. Without a number it is the one that was deployed before; when the latest one
 * never was, the one that still is.
 */
export function rollbackTarget(revisions: readonly Revision[], release: Release, to: number | undefined): Revision {
  const target = to === undefined ? before(revisions) : revisions.find(({ revision }) => revision === to);
  const what = `roll back release ${releaseText(release)}`;
  if (target === undefined) {
    const there = revisions.map(({ revision }) => revision).join(", ");
    const why = to === undefined ? "no other revision of it was ever deployed" : `there is no revision ${to}: expected one of ${there}`;
    throw new Fault(what, `${why}; sluice history ${release.name} shows them`, { final: true });
  }
  if (target.state === "unknown") throw new Fault(what, target.description, { final: true });
  return target;
}

/** A rollback that is under way is no reason to go elsewhere: whoever asks again means the same. */
function before(revisions: readonly Revision[]): Revision | undefined {
  const settled = revisions.filter(({ state }) => state !== "pending-rollback");
  const deployed = settled.findLast(({ state }) => state === "deployed");
  if (deployed !== undefined && latestOf(settled) !== deployed) return deployed;
  const end = deployed?.revision ?? Number.POSITIVE_INFINITY;
  // Whoever died right after the last one was deployed has not superseded the one before.
  return settled.findLast(({ state, revision }) => (state === "superseded" || state === "deployed") && revision < end);
}
