import { isPending, type RevisionState } from "../record/index.ts";

/** Whether a release is pending or uninstalling. */
export function isUnfinished(state: RevisionState): boolean {
  return isPending(state) || state === "uninstalling";
}
