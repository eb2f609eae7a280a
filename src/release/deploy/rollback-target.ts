import { Fault } from "../../core/fault/index.ts";
import { latestOf, releaseText, type Release, type Revision, type RevisionState } from "../record/index.ts";

/**
 * The revision that a rollback goes back to. Default: the one that was deployed before the latest; if the latest never
 * was deployed, the one that still is. After a deletion that kept the history it is the one that was deleted.
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

const wasDeployed: ReadonlySet<RevisionState> = new Set<RevisionState>(["superseded", "deployed", "uninstalled"]);

/** Skips a pending rollback: the same command again has the same target. */
function before(revisions: readonly Revision[]): Revision | undefined {
  const settled = revisions.filter(({ state }) => state !== "pending-rollback");
  const deployed = settled.findLast(({ state }) => state === "deployed");
  if (deployed !== undefined && latestOf(settled) !== deployed) return deployed;
  const end = deployed?.revision ?? Number.POSITIVE_INFINITY;
  // A process that died right after `deployed` has not superseded the previous revision.
  return settled.findLast(({ state, revision }) => wasDeployed.has(state) && revision < end);
}
