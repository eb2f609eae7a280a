import { targetFinder, type Gate, type Stage } from "../order/index.ts";
import { defaultTracking, reasonText, type PlanBuilder, type Frontier, type StageRank } from "./plan-builder.ts";
import type { PruneCandidate } from "./prune-candidate.ts";
import { propagationOf, takesPodsAlong } from "./propagation.ts";
import type { StepNeed } from "./plan.ts";

const absent: readonly Gate[] = [{ until: "absent" }];
const stageOrder: Readonly<Record<Stage, number>> = { post: 0, main: 1, pre: 2, crds: 3 };

/** A prune candidate with its steps. */
type PrunedObject = PruneCandidate & {
  readonly place: StageRank;
  readonly deleted: string;
  readonly gone: string;
  unordered: boolean;
  groupIndex: number;
};

/**
 * Deletes by deletion phase, or without phases in the reverse order of creation. Each group is gone before the next one
 * starts, kinds within a group are deleted one after the other, and dependencies are deleted after their dependents.
 * Inside one kind the requests go in the reverse of creation: one by one in a deletion phase, else in parallel.
 */
export function addPruneSteps(builder: PlanBuilder, candidates: readonly PruneCandidate[], frontier: Frontier, what: string): Frontier {
  if (candidates.length === 0) return frontier;
  const phased = (builder.input.previous ?? []).some(({ constraints }) => constraints.deletion.phase !== undefined);
  // Requests that are ready at the same time are sent in the order of the steps.
  const pruned = candidates.toReversed().map((candidate) => prunedObjectOf(candidate, phased));
  const needs = new Map<PrunedObject, StepNeed[]>(pruned.map((each) => [each, []]));
  const ends = addGroups(builder, pruned, needs, frontier, what);
  for (const each of pruned.filter(({ unordered }) => unordered)) needs.get(each)!.push(...frontier);
  addReverseNeeds(builder, pruned, needs);
  for (const each of pruned) addSteps(builder, each, needs.get(each)!);
  const unordered = pruned
    .filter((each) => each.unordered)
    .map((each): StepNeed => ({ id: each.gone, because: reasonText(each, "must be gone") }));
  return builder.join(`join/removed/${what}`, "what left the release is gone", pruned.at(-1)!.place, [...ends, ...unordered]);
}

function prunedObjectOf(candidate: PruneCandidate, phased: boolean): PrunedObject {
  const { constraints, key } = candidate;
  const rank = phased ? (constraints.deletion.phase ?? 0) : constraints.rank;
  const place: StageRank = { stage: constraints.stage, rank };
  const unordered =
    constraints.deletion.phase === undefined && (constraints.deletion.needs.length > 0 || (constraints.unranked && !phased));
  const id = `${constraints.stage}/${rank}/${key}`;
  return { ...candidate, place, deleted: `delete/${id}`, gone: `await/${id}#gone`, unordered, groupIndex: 0 };
}

function addGroups(
  builder: PlanBuilder,
  pruned: readonly PrunedObject[],
  needs: ReadonlyMap<PrunedObject, StepNeed[]>,
  frontier: Frontier,
  what: string,
): Frontier {
  const phased = (builder.input.previous ?? []).some(({ constraints }) => constraints.deletion.phase !== undefined);
  const bound = pruned.filter(({ unordered }) => !unordered);
  const groups = [...Map.groupBy(bound, ({ place }) => (phased ? `${place.rank}` : `${place.stage} ${place.rank}`)).values()];
  groups.sort(([a], [b]) => (phased ? a!.place.rank - b!.place.rank : backwards(a!.place, b!.place)));
  let before = frontier;
  for (const [groupIndex, group] of groups.entries()) {
    for (const each of group) each.groupIndex = groupIndex;
    addSlots(builder, group, needs, before, `${what}/${groupIndex}`);
    if (phased) addKindOrder(group, needs);
    const gone = group.map((each): StepNeed => ({ id: each.gone, because: reasonText(each, "must be gone") }));
    before = builder.join(
      `join/removed/${what}/${groupIndex}`,
      phased ? `deletion phase ${group[0]!.place.rank}` : "what was created after it",
      group[0]!.place,
      gone,
    );
  }
  return before;
}

function backwards(a: StageRank, b: StageRank): number {
  return stageOrder[a.stage] - stageOrder[b.stage] || b.rank - a.rank;
}

/** Orders the requests only: an object that stays for a while holds up the next group, but not the rest of its own. */
function addSlots(
  builder: PlanBuilder,
  group: readonly PrunedObject[],
  needs: ReadonlyMap<PrunedObject, StepNeed[]>,
  frontier: Frontier,
  what: string,
): void {
  let before = frontier;
  let slot: PrunedObject[] = [];
  for (const each of group) {
    const last = slot.at(-1);
    if (last !== undefined && !isSameKind(last, each)) {
      const order = slot.filter(isThere).map(({ deleted }): StepNeed => ({
        id: deleted,
        because: "the reverse order of kinds",
        settled: true,
        implied: true,
      }));
      before = builder.join(`join/removed/${what}/${each.key}`, "kinds deleted earlier", each.place, [...before, ...order]);
      slot = [];
    }
    slot.push(each);
    needs.get(each)!.push(...before);
  }
}

/** In a deletion phase the objects of one kind are deleted one by one, as KOTS does: their creation phases may differ. */
function addKindOrder(group: readonly PrunedObject[], needs: ReadonlyMap<PrunedObject, StepNeed[]>): void {
  for (const [at, each] of group.entries()) {
    const last = group[at - 1];
    if (last === undefined || !isSameKind(last, each) || !isThere(last)) continue;
    needs.get(each)!.push({ id: last.deleted, because: reasonText(last, "was created after it"), settled: true, implied: true });
  }
}

/** Whether there is something to delete, and not only something to wait for. */
function isThere({ live }: PruneCandidate): boolean {
  return live.exists;
}

function isSameKind({ ref: a }: PrunedObject, { ref: b }: PrunedObject): boolean {
  return a.kind === b.kind && a.group === b.group;
}

/** Deletes dependencies after their dependents. Written deletion needs win over that. */
function addReverseNeeds(builder: PlanBuilder, pruned: readonly PrunedObject[], needs: ReadonlyMap<PrunedObject, StepNeed[]>): void {
  const find = targetFinder(pruned, ({ ref }) => ref, builder.input.release?.namespace ?? "");
  const dependentsOf = new Map<readonly PrunedObject[], PrunedObject[]>();
  for (const each of pruned) {
    for (const { target, external, gate } of each.constraints.needs) {
      const found = external || gate.until === "absent" ? [] : find(target);
      if (found.length === 0) continue;
      const dependents = dependentsOf.get(found);
      if (dependents === undefined) dependentsOf.set(found, [each]);
      else dependents.push(each);
    }
    for (const need of each.constraints.deletion.needs) {
      if (need.external) needs.get(each)!.push(builder.externalNeed(need, each.place, `${each.place.rank}/${each.key}`, []));
      else for (const other of find(need.target)) if (other !== each) needs.get(each)!.push({ id: other.gone, because: need.because });
    }
  }
  for (const [needed, dependents] of dependentsOf) addOutliveNeeds(builder, needed, dependents, needs);
}

/** Many-to-many needs share a join, unless the two sets overlap. */
function addOutliveNeeds(
  builder: PlanBuilder,
  needed: readonly PrunedObject[],
  dependents: readonly PrunedObject[],
  needs: ReadonlyMap<PrunedObject, StepNeed[]>,
): void {
  const gone = dependents.map((each): StepNeed => ({ id: each.gone, because: reasonText(each, "needs it"), implied: true }));
  const [first] = dependents;
  if (needed.length > 1 && dependents.length > 1 && !dependents.some((each) => needed.includes(each))) {
    const id = `join/removed/needed/${first!.key}/${needed[0]!.key}`;
    builder.add(id, { verb: "join", what: "those who need it" }, first!.place, gone);
    for (const each of needed) needs.get(each)!.push({ id, because: "others need it", implied: true });
    return;
  }
  for (const each of needed) {
    for (const [at, dependent] of dependents.entries()) {
      if (dependent === each || (!each.unordered && !dependent.unordered && dependent.groupIndex > each.groupIndex)) continue;
      needs.get(each)!.push(gone[at]!);
    }
  }
}

function addSteps(builder: PlanBuilder, candidate: PrunedObject, needs: readonly StepNeed[]): void {
  const { ref, live, constraints, place, item } = candidate;
  const dependents = builder.input.background !== undefined && takesPodsAlong(candidate) ? ({ dependents: true } as const) : {};
  const propagation = "dependents" in dependents ? "background" : propagationOf(candidate);
  const uid = !live.exists ? { uid: "" } : live.uid === undefined ? {} : { uid: live.uid };
  const timeout = constraints.timeoutMs === undefined ? {} : { timeoutMs: constraints.timeoutMs };
  const more = item.at === undefined ? {} : { at: item.at };
  const gone = {
    verb: "await",
    ref,
    gates: absent,
    external: false,
    tracking: defaultTracking,
    ...timeout,
    ...uid,
    ...dependents,
  } as const;
  if (!live.exists) return void builder.add(candidate.gone, gone, place, needs, more);
  builder.add(candidate.deleted, { verb: "delete", ref, propagation, ...uid }, place, needs, more);
  builder.add(candidate.gone, gone, place, [{ id: candidate.deleted, because: "deleted first" }], more);
}
