import type { Stage } from "../order/index.ts";
import { cleanUp } from "./clean-up.ts";
import { tell, type Draft, type Front, type Place } from "./draft.ts";
import type { Member } from "./member.ts";
import type { StepNeed } from "./plan.ts";
import { keepsStep, slotsOf } from "./slot.ts";

/** Gives the members of a stage their places: rank after rank, each held back by the gates of the one before. */
export function layRanks(draft: Draft, stage: Stage, members: readonly Member[], front: Front): Front {
  if (members.length === 0) return front;
  const loose = members.filter(({ claims }) => claims.unranked);
  for (const member of loose) member.begin = [...front, ...externals(draft, member, `${member.claims.rank}/${member.key}`, front)];
  const groups = Map.groupBy(
    members.filter(({ claims }) => !claims.unranked),
    ({ claims }) => claims.rank,
  );
  const ranks = [...groups.keys()].toSorted((a, b) => a - b);
  let before = front;
  for (const [at, rank] of ranks.entries()) {
    const place = { stage, rank };
    const group = groups.get(rank)!;
    const last = layRank(draft, place, group, startOf(draft, place, group, before));
    before = at === ranks.length - 1 ? last : rankEnd(draft, place, group, last);
  }
  const end = stageEnd(draft, stage, members, before);
  return cleanUp(draft, { stage, rank: ranks.at(-1) ?? 0 }, members, end);
}

/** Everything outside of the release that any of a rank needs holds back the whole rank. */
function startOf(draft: Draft, place: Place, group: readonly Member[], before: Front): Front {
  const outside = group.flatMap((member) => externals(draft, member, String(place.rank), before));
  if (outside.length === 0) return before;
  const needs = new Map(outside.map((need) => [need.id, need]));
  return draft.join(`join/${place.stage}/${place.rank}/start`, `what rank ${place.rank} needs from outside`, place, [...needs.values()]);
}

export function externals(draft: Draft, { stage, claims }: Member, shared: string, begin: Front): readonly StepNeed[] {
  const outside = claims.needs.filter(({ external }) => external);
  return outside.map((need) => draft.external(need, { stage, rank: claims.rank }, shared, begin));
}

/** Slot after slot. Their order is one of requests: that one fails is no reason to leave out the next, unless it is a barrier. */
function layRank(draft: Draft, place: Place, group: readonly Member[], start: Front): Front {
  const slots = slotsOf(group);
  let before = start;
  for (const [at, slot] of slots.entries()) {
    for (const member of slot) member.begin = before;
    if (at === slots.length - 1) break;
    const kept = slot.filter((member) => keepsStep(member));
    const order = kept.map(({ applied }): StepNeed => ({ id: applied!, because: "the order of kinds", settled: true, implied: true }));
    const needs = [...before, ...order, ...slot.flatMap((member) => barrier(draft, member))];
    before = needs.length === before.length ? before : draft.join(`join/${place.stage}/${place.rank}/${at}`, "kinds before", place, needs);
  }
  return before;
}

function barrier(draft: Draft, member: Member): readonly StepNeed[] {
  const id = member.claims.barrier ? draft.gated(member) : undefined;
  return id === undefined ? [] : [{ id, because: tell(member, "holds back everything after it") }];
}

function rankEnd(draft: Draft, place: Place, group: readonly Member[], last: Front): Front {
  const gates = group.map((member): End => ({ member, id: draft.gated(member), must: "be through its gate" }));
  return draft.join(`join/${place.stage}/${place.rank}/end`, `rank ${place.rank}`, place, endNeeds(gates, last));
}

/** The main resources are over when all are ready, or, where nobody is to wait for that, when all are applied. */
function stageEnd(draft: Draft, stage: Stage, members: readonly Member[], last: Front): Front {
  const wait = draft.input.options?.wait ?? "all";
  const rank = members.reduce((most, { claims }) => Math.max(most, claims.rank), -Infinity);
  const ends = members.map((member): End => {
    if (stage !== "main") return { member, id: draft.gated(member), must: "be through its gate" };
    if (wait === "all") return { member, id: draft.ready(member), must: "be ready" };
    return { member, id: member.applied, must: "be applied" };
  });
  // The ranks before the last have been waited for by those after them.
  const open = ends.filter(({ member, id }) => member.claims.unranked || member.claims.rank === rank || id !== draft.known(member));
  return draft.join(
    `join/${stage}/end`,
    stage === "crds" ? "the definitions" : "the main resources",
    { stage, rank },
    endNeeds(open, last),
  );
}

/** What the last step of a member is, and what it must have come to by then. */
type End = { readonly member: Member; readonly id: string | undefined; readonly must: string };

/** Where somebody began after all the others of the rank, its end says it all. */
function endNeeds(ends: readonly End[], last: Front): readonly StepNeed[] {
  const needs: StepNeed[] = [];
  for (const { member, id, must } of ends) if (id !== undefined) needs.push({ id, because: tell(member, `must ${must}`) });
  return ends.some(({ member, id }) => id !== undefined && member.begin === last) ? needs : [...last, ...needs];
}
