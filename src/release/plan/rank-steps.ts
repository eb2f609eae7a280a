import type { Stage } from "../order/index.ts";
import { addCleanUpSteps } from "./clean-up-steps.ts";
import { reasonText, type PlanBuilder, type Frontier, type StageRank } from "./plan-builder.ts";
import type { StageMember } from "./stage-member.ts";
import type { StepNeed } from "./plan.ts";
import { holdsUpKindOrder, kindSlotsOf } from "./kind-slots.ts";

/** Adds the steps of a stage: rank after rank, each waiting for the gates of the one before. */
export function addRankSteps(builder: PlanBuilder, stage: Stage, members: readonly StageMember[], frontier: Frontier): Frontier {
  if (members.length === 0) return frontier;
  const unranked = members.filter(({ constraints }) => constraints.unranked);
  for (const member of unranked)
    member.begin = [...frontier, ...externalNeeds(builder, member, `${member.constraints.rank}/${member.key}`, frontier)];
  const groups = Map.groupBy(
    members.filter(({ constraints }) => !constraints.unranked),
    ({ constraints }) => constraints.rank,
  );
  const ranks = [...groups.keys()].toSorted((a, b) => a - b);
  let before = frontier;
  for (const [at, rank] of ranks.entries()) {
    const place = { stage, rank };
    const group = groups.get(rank)!;
    const last = addRank(builder, place, group, startOf(builder, place, group, before));
    before = at === ranks.length - 1 ? last : rankEnd(builder, place, group, last);
  }
  const end = stageEnd(builder, stage, members, before);
  return addCleanUpSteps(builder, { stage, rank: ranks.at(-1) ?? 0 }, members, end);
}

/** External needs of any member hold back the whole rank. */
function startOf(builder: PlanBuilder, place: StageRank, group: readonly StageMember[], before: Frontier): Frontier {
  const outside = group.flatMap((member) => externalNeeds(builder, member, String(place.rank), before));
  if (outside.length === 0) return before;
  const needs = new Map(outside.map((need) => [need.id, need]));
  return builder.join(`join/${place.stage}/${place.rank}/start`, `what rank ${place.rank} needs from outside`, place, [...needs.values()]);
}

export function externalNeeds(
  builder: PlanBuilder,
  { stage, constraints }: StageMember,
  shared: string,
  begin: Frontier,
): readonly StepNeed[] {
  const outside = constraints.needs.filter(({ external }) => external);
  return outside.map((need) => builder.externalNeed(need, { stage, rank: constraints.rank }, shared, begin));
}

/** Adds slot after slot. The order is one of requests: a failure in one slot does not skip the next, unless it is a barrier. */
function addRank(builder: PlanBuilder, place: StageRank, group: readonly StageMember[], start: Frontier): Frontier {
  const slots = kindSlotsOf(group);
  let before = start;
  for (const [at, slot] of slots.entries()) {
    for (const member of slot) member.begin = before;
    if (at === slots.length - 1) break;
    const kept = slot.filter((member) => holdsUpKindOrder(member));
    const order = kept.map(({ applied }): StepNeed => ({ id: applied!, because: "the order of kinds", settled: true, implied: true }));
    const needs = [...before, ...order, ...slot.flatMap((member) => barrier(builder, member))];
    before =
      needs.length === before.length
        ? before
        : builder.join(`join/${place.stage}/${place.rank}/${at}`, "kinds applied earlier", place, needs);
  }
  return before;
}

function barrier(builder: PlanBuilder, member: StageMember): readonly StepNeed[] {
  const id = member.constraints.barrier ? builder.gatedStep(member) : undefined;
  return id === undefined ? [] : [{ id, because: reasonText(member, "holds back everything after it") }];
}

function rankEnd(builder: PlanBuilder, place: StageRank, group: readonly StageMember[], last: Frontier): Frontier {
  const gates = group.map((member): MemberEnd => ({ member, id: builder.gatedStep(member), must: "be through its gate" }));
  return builder.join(`join/${place.stage}/${place.rank}/end`, `rank ${place.rank}`, place, endNeeds(gates, last));
}

/** The main stage ends when all objects are ready, or without waiting when all are applied. */
function stageEnd(builder: PlanBuilder, stage: Stage, members: readonly StageMember[], last: Frontier): Frontier {
  const wait = builder.input.options?.wait ?? "all";
  const rank = members.reduce((most, { constraints }) => Math.max(most, constraints.rank), -Infinity);
  const ends = members.map((member): MemberEnd => {
    if (stage !== "main") return { member, id: builder.gatedStep(member), must: "be through its gate" };
    if (wait === "all") return { member, id: builder.readyStep(member), must: "be ready" };
    return { member, id: member.applied, must: "be applied" };
  });
  // Later ranks have waited for the ranks before the last.
  const open = ends.filter(
    ({ member, id }) => member.constraints.unranked || member.constraints.rank === rank || id !== builder.existingGatedStep(member),
  );
  return builder.join(`join/${stage}/end`, stage === "crds" ? "the CRDs" : "the main resources", { stage, rank }, endNeeds(open, last));
}

/** The last step of a member, and what it must have reached. */
type MemberEnd = { readonly member: StageMember; readonly id: string | undefined; readonly must: string };

/** A member that starts after all others of the rank implies their end. */
function endNeeds(ends: readonly MemberEnd[], last: Frontier): readonly StepNeed[] {
  const needs: StepNeed[] = [];
  for (const { member, id, must } of ends) if (id !== undefined) needs.push({ id, because: reasonText(member, `must ${must}`) });
  return ends.some(({ member, id }) => id !== undefined && member.begin === last) ? needs : [...last, ...needs];
}
