import { Fault } from "../../fault/index.ts";
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

function before(revisions: readonly Revision[]): Revision | undefined {
  const deployed = revisions.findLast(({ state }) => state === "deployed");
  const latest = latestOf(revisions);
  const isGood = latest?.state === "deployed" || latest?.state === "pending-rollback";
  if (deployed !== undefined && !isGood) return deployed;
  const end = deployed?.revision ?? Number.POSITIVE_INFINITY;
  return revisions.findLast(({ state, revision }) => state === "superseded" && revision < end);
}
