import { keyOf, stringAt } from "../../core/object/index.ts";
import { targetFinder } from "../order/index.ts";
import { decideChanges } from "./decide-changes.ts";
import { applyOf, detailsOf, PlanBuilder, type Frontier } from "./plan-builder.ts";
import type { PlanInput, PlanResult } from "./plan-input.ts";
import { absenceNeeds, pruneCandidates, type PruneCandidate } from "./prune-candidate.ts";
import type { StageMember } from "./stage-member.ts";
import { findMemberNeeds, memberStepNeeds } from "./member-needs.ts";
import type { Step, StepNeed } from "./plan.ts";
import { addRankSteps } from "./rank-steps.ts";
import { addBeginRecord, addEndRecord } from "./record-steps.ts";
import { addPruneSteps } from "./prune-steps.ts";
import { addHookSteps } from "./hook-steps.ts";
import { sortSteps } from "./sort-steps.ts";
import { withDeferredChecks } from "./with-deferred-checks.ts";

/**
 * Plans an operation: CRDs, pre hooks, main resources rank by rank, pruning, post hooks, and the records around them.
 * Pure; linear in objects and needs.
 */
export function buildPlan(input: PlanInput): PlanResult {
  const { members, problems } = decideChanges(input);
  const home = input.release?.namespace ?? "";
  const find = targetFinder(members, ({ ref }) => ref, home);
  findMemberNeeds(members, find);
  const { pruned, kept } = pruneCandidates(input, members);
  const builder = new PlanBuilder(input);
  addStages(builder, members, pruned);
  const brought = kindsOfCrds(members);
  for (const member of members) {
    if (member.applied === undefined) continue;
    const inside = memberStepNeeds(builder, member, find);
    const needs = inside.length === 0 ? unique(member.begin) : unique([...member.begin, ...inside]);
    const { stage, constraints } = member;
    const action = applyOf(member, brought.has(`${member.ref.group}/${member.ref.kind}`));
    builder.add(member.applied, action, { stage, rank: constraints.rank }, needs, detailsOf(member));
  }
  const settled = sortSteps(builder.steps);
  if ("problems" in settled) return { problems: [...problems, ...settled.problems] };
  const { steps, problems: incurable } = withDeferredChecks(settled.steps, members, input);
  if (problems.length + incurable.length > 0) return { problems: [...problems, ...incurable] };
  const { operation, release } = input;
  const untouched = untouchedSteps(builder, members);
  return {
    plan: {
      version: 1,
      operation,
      ...(release === undefined ? {} : { release }),
      steps,
      ...(untouched.length === 0 ? {} : { untouched }),
      kept,
    },
  };
}

/** The waits for objects that no step of the plan waits for or applies. */
function untouchedSteps(builder: PlanBuilder, members: readonly StageMember[]): readonly Step[] {
  const busy = new Set(builder.steps.flatMap(({ action }) => ("ref" in action ? [keyOf(action.ref)] : [])));
  return members.filter(({ key }) => !busy.has(key)).flatMap((member) => builder.untouchedStep(member) ?? []);
}

function addStages(builder: PlanBuilder, members: readonly StageMember[], pruned: readonly PruneCandidate[]): void {
  const of = (stage: StageMember["stage"]) => members.filter((member) => member.stage === stage);
  const early = prunedFirst(builder, members, pruned);
  const later = pruned.filter(({ key }) => !early.has(key));
  let frontier: Frontier = addBeginRecord(builder);
  frontier = addRankSteps(builder, "crds", of("crds"), frontier);
  frontier = addHookSteps(builder, "pre", of("pre"), frontier);
  frontier = addPruneSteps(
    builder,
    pruned.filter(({ key }) => early.has(key)),
    frontier,
    "before",
  );
  frontier = addRankSteps(builder, "main", of("main"), frontier);
  frontier = addPruneSteps(builder, later, frontier, "after");
  frontier = addHookSteps(builder, "post", of("post"), frontier);
  addEndRecord(builder, frontier);
}

/** The objects that are pruned before the main resources: by annotation, or because one of those needs their absence. */
function prunedFirst({ input }: PlanBuilder, members: readonly StageMember[], pruned: readonly PruneCandidate[]): ReadonlySet<string> {
  const early = new Set(
    input.operation === "delete" ? [] : pruned.filter(({ constraints }) => constraints.remove === "before").map(({ key }) => key),
  );
  const find = targetFinder(pruned, ({ ref }) => ref, input.release?.namespace ?? "");
  for (const { need } of absenceNeeds(members)) for (const { key } of find(need.target)) early.add(key);
  return early;
}

/** The kinds of the release's CRDs: right after the CRD is applied they may not be served yet. */
function kindsOfCrds(members: readonly StageMember[]): ReadonlySet<string> {
  const crds = members.filter(({ ref }) => ref.kind === "CustomResourceDefinition");
  return new Set(crds.map(({ item }) => `${stringAt(item.object, "spec.group", "")}/${stringAt(item.object, "spec.names.kind", "")}`));
}

/** One need per step. A written reason wins over an implied one. */
function unique(needs: readonly StepNeed[]): readonly StepNeed[] {
  if (needs.length < 2) return needs;
  const found = new Map<string, StepNeed>();
  for (const need of needs) {
    const known = found.get(need.id);
    if (known === undefined || known.implied === true) found.set(need.id, need);
  }
  return [...found.values()];
}
