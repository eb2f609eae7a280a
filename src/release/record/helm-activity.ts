import { isUnfinished } from "./revision-lifecycle.ts";
import type { Revision } from "./revision.ts";

/** How long an unfinished revision of Helm's is left to Helm after its last sign of life: twice Helm's own time-out. */
export const helmPatienceMs = 600_000;

/**
 * When Helm last gave a sign of life on an unfinished revision, in milliseconds; undefined when Helm is not at work on it.
 * Helm holds no Lease, but writes the record when it begins and before and after each hook.
 */
export function helmActivityOf(revision: Revision): number | undefined {
  if (!isUnfinished(revision) || revision.stored?.writer !== "helm") return undefined;
  const { lastDeployed, deleted, hooks } = revision;
  const times = [lastDeployed, deleted, ...hooks.flatMap(({ lastRun }) => [lastRun.startedAt, lastRun.completedAt])];
  const known = times.flatMap((time) => (time === undefined ? [] : Date.parse(time))).filter((ms) => !Number.isNaN(ms));
  return Math.max(0, ...known);
}
