import type { Plan } from "../../../src/release/plan/index.ts";
import type { RolloutStatus, StepStatus } from "../../../src/release/why/rollout-status.ts";

/**
 * The status of objects by name: `missing`, `ready` (the default), `old` for one that exists and is not up to date, or
 * the reason why it is not ready, with `!` before it when it has failed.
 */
export type ObjectWords = Readonly<Record<string, string>>;

/** The rollout status of a release whose objects have these statuses. */
export function rolloutStatusOf(plan: Plan, words: ObjectWords, more: Partial<RolloutStatus> = {}): RolloutStatus {
  const stepStatuses = new Map<string, StepStatus>();
  for (const { id, action } of plan.steps) {
    if (action.verb === "join" || action.verb === "record") continue;
    const word = words[action.ref.name] ?? (action.verb === "delete" ? "gone" : "ready");
    const wantsAbsence = action.verb === "await" && action.gates.some(({ until }) => until === "absent");
    stepStatuses.set(id, action.verb === "apply" ? applied(word) : action.verb === "delete" ? deleted(word) : awaited(word, wantsAbsence));
  }
  const release = { name: "web", namespace: "shop" };
  return { release, revision: 2, state: "pending-upgrade", description: "Preparing upgrade", plan, stepStatuses, ...more };
}

function applied(word: string): StepStatus {
  if (word === "missing") return { state: "missing", because: "it does not exist" };
  return word === "old" ? { state: "progressing", because: "it is not yet as revision 2 wants it" } : { state: "done" };
}

function deleted(word: string): StepStatus {
  return word === "there" ? { state: "progressing", because: "it is still there" } : { state: "done" };
}

function awaited(word: string, wantsAbsence: boolean): StepStatus {
  if (wantsAbsence) return word === "gone" || word === "ready" ? { state: "done" } : { state: "progressing", because: word };
  if (word === "ready" || word === "old") return { state: "done" };
  if (word === "missing") return { state: "missing", because: "it does not exist" };
  return word.startsWith("!") ? { state: "failed", because: word.slice(1) } : { state: "progressing", because: word };
}
