import { CycleError, topologicalOrder } from "../../core/graph/index.ts";
import type { StageMember } from "./stage-member.ts";

/**
 * Splits a rank into slots that are applied one after the other. A slot has one kind and ends at a barrier. An object
 * that needs another one of its rank is in the same slot or a later one.
 */
export function kindSlotsOf(rank: readonly StageMember[]): readonly (readonly StageMember[])[] {
  const slot = new Map<StageMember, number>();
  let at = 0;
  let before: StageMember | undefined;
  for (const member of rank) {
    if (before !== undefined && (before.constraints.barrier || kindOf(before) !== kindOf(member))) at++;
    slot.set(member, at);
    before = member;
  }
  moveAfterNeeds(rank, slot);
  const slots: StageMember[][] = Array.from({ length: at + 1 }, () => []);
  for (const member of rank) slots[slot.get(member)!]!.push(member);
  return slots.filter((members) => members.length > 0);
}

function kindOf({ ref }: StageMember): string {
  return `${ref.group}/${ref.kind}`;
}

function moveAfterNeeds(rank: readonly StageMember[], slot: Map<StageMember, number>): void {
  const inRank = ({ needs }: StageMember) => needs.map(({ on }) => on).filter((on) => slot.has(on));
  if (!rank.some((member) => inRank(member).some((on) => slot.get(on)! > slot.get(member)!))) return;
  for (const member of sorted(new Map(rank.map((each) => [each, inRank(each)])))) {
    for (const on of inRank(member)) slot.set(member, Math.max(slot.get(member)!, slot.get(on)!));
  }
}

/** Cycles are reported when the plan is complete. */
function sorted(needs: ReadonlyMap<StageMember, readonly StageMember[]>): readonly StageMember[] {
  try {
    return topologicalOrder(needs);
  } catch (error) {
    if (error instanceof CycleError) return [];
    throw error;
  }
}

/** Whether the kind order waits for this object. Objects that wait for something outside the ranks do not hold up later kinds. */
export function holdsUpKindOrder({ needs, applied }: StageMember): boolean {
  return applied !== undefined && needs.every(({ on }) => !on.constraints.unranked);
}
