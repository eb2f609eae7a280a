import type { NodeState } from "./release-items.ts";
import type { Replay, ReplayStep } from "./requests.ts";

/** How far a node was at some time, and why. */
type StateThen = { readonly state: NodeState; readonly because?: string };

/**
 * How far each node of a recorded operation was at a time, in ms since its start. A node that no run has touched is left out:
 * it was as it should be all the time.
 */
export function stateAt({ runs, steps }: Replay, ms: number): ReadonlyMap<string, StateThen> {
  const states = new Map<string, StateThen>();
  const begun = runs.filter(({ fromMs }, at) => at === 0 || fromMs <= ms).length;
  for (const [node, all] of Map.groupBy(steps, (step) => step.node)) {
    // What a later run does to a node counts more than what an earlier one did.
    const last = Math.max(...all.filter(({ run }) => run < begun).map(({ run }) => run));
    states.set(
      node,
      stateOf(
        all.filter(({ run }) => run === last),
        ms,
      ),
    );
  }
  return states;
}

function stateOf(steps: readonly ReplayStep[], ms: number): StateThen {
  const begun = steps.filter(({ fromMs }) => fromMs <= ms);
  const failed = begun.find((step) => step.outcome === "failed" && isOver(step, ms));
  if (failed !== undefined) return withReason("failed", failed.because);
  const skipped = begun.find(({ outcome }) => outcome === "skipped");
  if (skipped !== undefined) return withReason("skipped", skipped.because);
  const current = begun.findLast((step) => !isOver(step, ms));
  if (current !== undefined) return withReason("progressing", current.waits.findLast(({ atMs }) => atMs <= ms)?.because);
  if (begun.length === 0) return { state: "waiting" };
  if (begun.length < steps.length) return { state: "progressing" };
  return { state: steps.some(({ isRemoval }) => isRemoval === true) ? "gone" : "ready" };
}

function isOver({ toMs }: ReplayStep, ms: number): boolean {
  return toMs !== undefined && toMs <= ms;
}

function withReason(state: NodeState, because: string | undefined): StateThen {
  return because === undefined ? { state } : { state, because };
}
