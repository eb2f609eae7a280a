import { keyOf } from "../../core/object/index.ts";
import { addCleanUpSteps } from "./clean-up-steps.ts";
import { reasonText, type PlanBuilder, type Frontier } from "./plan-builder.ts";
import type { StageMember } from "./stage-member.ts";
import type { StepNeed } from "./plan.ts";
import { externalNeeds } from "./rank-steps.ts";
import { addHookRecord } from "./record-steps.ts";

/** Adds the steps of hooks: one at a time by weight, then by name. */
export function addHookSteps(builder: PlanBuilder, stage: "pre" | "post", members: readonly StageMember[], frontier: Frontier): Frontier {
  if (members.length === 0) return frontier;
  const hooks = members.toSorted(byWeightThenName);
  const unwaited = stage === "post" && builder.input.options?.wait === "none" ? hooks.at(-1) : undefined;
  let before = frontier;
  for (const hook of hooks) {
    hook.begin = startOf(builder, hook, before);
    const id = hook === unwaited ? hook.applied : builder.gatedStep(hook);
    const done: readonly StepNeed[] = id === undefined ? before : [{ id, because: reasonText(hook, "runs before it") }];
    before = hook === unwaited ? done : addHookRecord(builder, hook, done);
  }
  return addCleanUpSteps(builder, { stage, rank: hooks.at(-1)!.constraints.rank }, hooks, before);
}

function startOf(builder: PlanBuilder, hook: StageMember, before: Frontier): Frontier {
  const outside = externalNeeds(builder, hook, String(hook.constraints.rank), before);
  return [...before, ...outside];
}

function byWeightThenName(a: StageMember, b: StageMember): number {
  return a.constraints.rank - b.constraints.rank || compare(a.ref.name, b.ref.name) || compare(keyOf(a.ref), keyOf(b.ref));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
