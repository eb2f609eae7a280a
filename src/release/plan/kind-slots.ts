import { CycleError, topologicalOrder } from "../../core/graph/index.ts";
import type { StageMember } from "./stage-member.ts";

/**
 * Parts the members of a rank into slots that are applied one after the other: a slot is of one kind, and ends at a
 * barrier. Whoever needs another of its rank is in that one's slot or a later one.
 */
export function kindSlotsOf(rank: readonly StageMember[]): readonly (readonly StageMember[])[] {
  const slot = new Map<StageMember, number>();
  let at = 0;
  let before: StageMember | undefined;
  for (const member of rank) {
    if (before !== undefined && (before.claims.barrier || kindOf(before) !== kindOf(member))) at++;
    slot.set(member, at);
    before = member;
  }
  moveBehindNeeds(rank, slot);
  const slots: StageMember[][] = Array.from({ length: at + 1 }, () => []);
  for (const member of rank) slots[slot.get(member)!]!.push(member);
  return slots.filter((members) => members.length > 0);
}

function kindOf({ ref }: StageMember): string {
  return `${ref.group}/${ref.kind}`;
}

function moveBehindNeeds(rank: readonly StageMember[], slot: Map<StageMember, number>): void {
  const inRank = ({ needs }: StageMember) => needs.map(({ on }) => on).filter((on) => slot.has(on));
  if (!rank.some((member) => inRank(member).some((on) => slot.get(on)! > slot.get(member)!))) return;
  for (const member of sorted(new Map(rank.map((each) => [each, inRank(each)])))) {
    for (const on of inRank(member)) slot.set(member, Math.max(slot.get(member)!, slot.get(on)!));
  }
}

/** A cycle is told of when the plan is whole. */
function sorted(needs: ReadonlyMap<StageMember, readonly StageMember[]>): readonly StageMember[] {
  try {
    return topologicalOrder(needs);
  } catch (error) {
    if (error instanceof CycleError) return [];
    throw error;
  }
}

/** Tells whether the kind order may wait for it: one that waits for somebody outside of the ranks holds up nobody. */
export function holdsUpKindOrder({ needs, applied }: StageMember): boolean {
  return applied !== undefined && needs.every(({ on }) => !on.claims.unranked);
}
