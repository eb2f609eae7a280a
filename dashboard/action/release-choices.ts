import type { ReleaseHead, RevisionOutline } from "../../src/dashboard/api/index.ts";

/** Whether the latest revision of a release was interrupted: it is unfinished, and nobody works on it. */
export function isCarriedOn({ isLatest, state, holder, revisions }: ReleaseHead): boolean {
  const latest = isLatest ? state : (revisions[0]?.state ?? state);
  return isUnfinished(latest) && (holder === undefined || holder.isSilent);
}

/** Whether a release can go back to a revision. The latest one that is deployed is what it is already. */
export function isRolledBackTo({ revision, state }: RevisionOutline, revisions: readonly RevisionOutline[]): boolean {
  if (isUnfinished(state) || state === "unknown") return false;
  return !(revisions[0]?.revision === revision && state === "deployed");
}

function isUnfinished(state: string): boolean {
  return state.startsWith("pending-") || state === "uninstalling";
}
