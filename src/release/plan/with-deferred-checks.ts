import type { Problem } from "../../core/fault/index.ts";
import { titleOf, type ObjectRef } from "../../core/object/index.ts";
import { containerCures } from "../refusal/index.ts";
import { problemWith } from "./decide-changes.ts";
import { deferChecks, type UncheckedStep } from "./defer-checks.ts";
import type { Step } from "./plan.ts";
import type { PlanInput } from "./plan-input.ts";
import type { StageMember } from "./stage-member.ts";

/** Marks the steps whose check waits for earlier steps, and reports the refusals that no earlier step may cure. */
export function withDeferredChecks(
  steps: readonly Step[],
  members: readonly StageMember[],
  input: PlanInput,
): { readonly steps: readonly Step[]; readonly problems: readonly Problem[] } {
  const unchecked = new Map(members.flatMap((member) => uncheckedStep(member, input).map((step) => [step, member] as const)));
  if (unchecked.size === 0) return { steps, problems: [] };
  const known = [...input.desired, ...(input.previous ?? [])].map(({ item }) => item.object);
  const { deferred, incurable } = deferChecks(steps, [...unchecked.keys()], known);
  const problems = incurable.flatMap(({ step, later }) => {
    const member = unchecked.get(step)!;
    return member.refused === undefined ? [] : [problemWith(member, `${member.refused.because}${laterText(later)}`)];
  });
  return { steps: deferred.size === 0 ? steps : steps.map((step) => withCheck(step, deferred)), problems };
}

function withCheck(step: Step, deferred: ReturnType<typeof deferChecks>["deferred"]): Step {
  const check = deferred.get(step.id);
  return check === undefined || step.action.verb !== "apply" ? step : { ...step, action: { ...step.action, deferred: check } };
}

/** An object without facts could not be dry-run: its kind or namespace comes with the release, or is waited for. */
function uncheckedStep({ applied, refused, ref, key }: StageMember, { live }: PlanInput): readonly UncheckedStep[] {
  if (applied === undefined) return [];
  if (refused !== undefined) return [{ id: applied, refused }];
  if (live === undefined || live.has(key)) return [];
  return [{ id: applied, refused: { because: "its kind or its namespace is not there yet", cures: containerCures(ref) } }];
}

function laterText(later: readonly ObjectRef[]): string {
  if (later.length === 0) return "";
  const names = later.map(titleOf).join(", ");
  return `: ${names} ${later.length === 1 ? "comes" : "come"} later and may cure it: give it an earlier place (werf.io/weight), or let what is deleted go first (sluice.dev/remove: before)`;
}
