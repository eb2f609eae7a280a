import { isPending, type State } from "../record/index.ts";

/** Tells whether a release says of itself that somebody is at work on it. */
export function isUnfinished(state: State): boolean {
  return isPending(state) || state === "uninstalling";
}
