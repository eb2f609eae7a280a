import type { TargetFinder, Gate, Need, Stage } from "../order/index.ts";
import { targetId } from "./target-id.ts";
import { gateName, type PlanBuilder } from "./plan-builder.ts";
import type { StageMember } from "./stage-member.ts";
import type { StepNeed } from "./plan.ts";

const stageOrder: Readonly<Record<Stage, number>> = { crds: 0, pre: 1, main: 2, post: 3 };

/** Above this number of edges a join step is used, so that many-to-many needs stay linear. */
const fewEdges = 2;

/** Resolves the needs of each member to other members. Large groups are left to `memberStepNeeds`. */
export function findMemberNeeds(members: readonly StageMember[], find: TargetFinder<StageMember>): void {
  for (const member of members) {
    for (const need of member.constraints.needs) {
      if (!isInternal(need)) continue;
      const found = find(need.target);
      if (isLargeGroup(found, member)) continue;
      const { gate, because, implied = false } = need;
      for (const on of found) if (isUsable(member, on, need)) member.needs.push({ on, gate, because, implied });
    }
  }
}

/** The steps that a member's first step waits for. Requires that all members have been placed. */
export function memberStepNeeds(builder: PlanBuilder, member: StageMember, find: TargetFinder<StageMember>): readonly StepNeed[] {
  const found: StepNeed[] = [];
  for (const { on, gate, because, implied } of member.needs) {
    const id = stepFor(builder, on, gate);
    if (id !== undefined) found.push(implied ? { id, because, implied } : { id, because });
  }
  for (const need of member.constraints.needs) {
    const group = groupNeed(builder, member, need, find);
    if (group !== undefined) found.push(group);
  }
  return found;
}

function isInternal({ external, gate }: Need): boolean {
  return !external && gate.until !== "absent";
}

function isLargeGroup(found: readonly StageMember[], member: StageMember): boolean {
  return found.length > fewEdges && !found.includes(member);
}

/** An object does not wait for itself, and implied needs yield to ranks and stages. */
function isUsable(member: StageMember, on: StageMember, { implied = false }: Need): boolean {
  if (on.key === member.key) return false;
  const later = stageOrder[on.stage] - stageOrder[member.stage];
  if (!implied || later < 0) return true;
  if (later > 0) return false;
  return on.constraints.unranked || member.constraints.unranked || on.constraints.rank <= member.constraints.rank;
}

function stepFor(builder: PlanBuilder, on: StageMember, gate: Gate): string | undefined {
  return gate.until === "applied" || gate.until === "present" ? on.applied : builder.awaitStep(on, [gate]);
}

function groupNeed(builder: PlanBuilder, member: StageMember, need: Need, find: TargetFinder<StageMember>): StepNeed | undefined {
  if (!isInternal(need)) return undefined;
  const found = find(need.target);
  if (!isLargeGroup(found, member)) return undefined;
  const text = `${targetId(need.target)} ${gateName(need.gate)}`;
  const id = `join/need/${text}`;
  if (!builder.has(id)) {
    const steps = found.map((on) => stepFor(builder, on, need.gate)).filter((step) => step !== undefined);
    const needs = steps.map((step) => ({ id: step, because: need.because }));
    builder.add(id, { verb: "join", what: text }, { stage: member.stage, rank: member.constraints.rank }, needs);
  }
  return { id, because: need.because, ...(need.implied === true ? { implied: true as const } : {}) };
}
