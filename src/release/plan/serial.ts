import { keyOf } from "../../core/object/index.ts";
import { cleanUp } from "./clean-up.ts";
import { tell, type Draft, type Front } from "./draft.ts";
import type { Member } from "./member.ts";
import type { StepNeed } from "./plan.ts";
import { externals } from "./ranked.ts";
import { recordHook } from "./records.ts";

/** Gives hooks their places: one at a time by weight, then by name. */
export function laySerial(draft: Draft, stage: "pre" | "post", members: readonly Member[], front: Front): Front {
  if (members.length === 0) return front;
  const hooks = members.toSorted(byWeightThenName);
  const unwaited = stage === "post" && draft.input.options?.wait === "none" ? hooks.at(-1) : undefined;
  let before = front;
  for (const hook of hooks) {
    hook.begin = startOf(draft, hook, before);
    const id = hook === unwaited ? hook.applied : draft.gated(hook);
    const done: readonly StepNeed[] = id === undefined ? before : [{ id, because: tell(hook, "runs before it") }];
    before = hook === unwaited ? done : recordHook(draft, hook, done);
  }
  return cleanUp(draft, { stage, rank: hooks.at(-1)!.claims.rank }, hooks, before);
}

function startOf(draft: Draft, hook: Member, before: Front): Front {
  const outside = externals(draft, hook, String(hook.claims.rank), before);
  return [...before, ...outside];
}

function byWeightThenName(a: Member, b: Member): number {
  return a.claims.rank - b.claims.rank || compare(a.ref.name, b.ref.name) || compare(keyOf(a.ref), keyOf(b.ref));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
