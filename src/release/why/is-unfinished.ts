import { isPending, type RevisionState } from "../record/index.ts";

/** Tells whether a release says of itself that somebody is at work on it. */
export function isUnfinished(state: RevisionState): boolean {
  return isPending(state) || state === "uninstalling";
}
