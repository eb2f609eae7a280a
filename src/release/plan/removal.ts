import { finder, type Gate, type Stage } from "../order/index.ts";
import { plainTracking, tell, type Draft, type Front, type Place } from "./draft.ts";
import type { Leaver } from "./leaver.ts";
import { propagationOf } from "./propagation.ts";
import type { StepNeed } from "./plan.ts";

const absent: readonly Gate[] = [{ until: "absent" }];
const stageOrder: Readonly<Record<Stage, number>> = { post: 0, main: 1, pre: 2, crds: 3 };

/** A leaver with its steps. */
type Going = Leaver & { readonly place: Place; readonly deleted: string; readonly gone: string; loose: boolean; turn: number };

/**
 * Deletes by phase, or where no phase is given in the exact reverse of creation: each group is gone before the next one
 * starts, inside a group kinds are asked to go one after the other, and whoever was needed goes after those who needed it.
 */
export function layRemoval(draft: Draft, leavers: readonly Leaver[], front: Front, what: string): Front {
  if (leavers.length === 0) return front;
  const phased = (draft.input.previous ?? []).some(({ claims }) => claims.deletion.phase !== undefined);
  const going = leavers.map((leaver) => goingOf(leaver, phased));
  const needs = new Map<Going, StepNeed[]>(going.map((each) => [each, []]));
  const ends = layGroups(draft, going, needs, front, what);
  for (const each of going.filter(({ loose }) => loose)) needs.get(each)!.push(...front);
  mirror(draft, going, needs);
  for (const each of going) addSteps(draft, each, needs.get(each)!);
  const loose = going.filter((each) => each.loose).map((each): StepNeed => ({ id: each.gone, because: tell(each, "must be gone") }));
  return draft.join(`join/removed/${what}`, "what left the release is gone", going[0]!.place, [...ends, ...loose]);
}

function goingOf(leaver: Leaver, phased: boolean): Going {
  const { claims, key } = leaver;
  const rank = phased ? (claims.deletion.phase ?? 0) : claims.rank;
  const place: Place = { stage: claims.stage, rank };
  const loose = claims.deletion.phase === undefined && (claims.deletion.needs.length > 0 || (claims.unranked && !phased));
  const id = `${claims.stage}/${rank}/${key}`;
  return { ...leaver, place, deleted: `delete/${id}`, gone: `await/${id}#gone`, loose, turn: 0 };
}

function layGroups(draft: Draft, going: readonly Going[], needs: ReadonlyMap<Going, StepNeed[]>, front: Front, what: string): Front {
  const phased = (draft.input.previous ?? []).some(({ claims }) => claims.deletion.phase !== undefined);
  const bound = going.filter(({ loose }) => !loose);
  const groups = [...Map.groupBy(bound, ({ place }) => (phased ? `${place.rank}` : `${place.stage} ${place.rank}`)).values()];
  groups.sort(([a], [b]) => (phased ? a!.place.rank - b!.place.rank : backwards(a!.place, b!.place)));
  let before = front;
  for (const [turn, group] of groups.entries()) {
    for (const each of group) each.turn = turn;
    laySlots(draft, group.toReversed(), needs, before, `${what}/${turn}`);
    const gone = group.map((each): StepNeed => ({ id: each.gone, because: tell(each, "must be gone") }));
    before = draft.join(
      `join/removed/${what}/${turn}`,
      phased ? `deletion phase ${group[0]!.place.rank}` : "what was created after it",
      group[0]!.place,
      gone,
    );
  }
  return before;
}

function backwards(a: Place, b: Place): number {
  return stageOrder[a.stage] - stageOrder[b.stage] || b.rank - a.rank;
}

/** The order of kinds is one of requests: one that stays for a while holds up its group, and not the rest of its group. */
function laySlots(draft: Draft, group: readonly Going[], needs: ReadonlyMap<Going, StepNeed[]>, front: Front, what: string): void {
  let before = front;
  let slot: Going[] = [];
  for (const each of group) {
    const last = slot.at(-1);
    if (last !== undefined && (last.ref.kind !== each.ref.kind || last.ref.group !== each.ref.group)) {
      const order = slot.map(({ deleted }): StepNeed => ({
        id: deleted,
        because: "the reverse order of kinds",
        settled: true,
        implied: true,
      }));
      before = draft.join(`join/removed/${what}/${each.key}`, "kinds before", each.place, [...before, ...order]);
      slot = [];
    }
    slot.push(each);
    needs.get(each)!.push(...before);
  }
}

/** Whoever was needed goes after those who needed it; and what somebody wrote about deleting counts before that. */
function mirror(draft: Draft, going: readonly Going[], needs: ReadonlyMap<Going, StepNeed[]>): void {
  const find = finder(going, ({ ref }) => ref, draft.input.release?.namespace ?? "");
  const askers = new Map<readonly Going[], Going[]>();
  for (const each of going) {
    for (const { target, external, gate } of each.claims.needs) {
      const found = external || gate.until === "absent" ? [] : find(target);
      if (found.length === 0) continue;
      const asking = askers.get(found);
      if (asking === undefined) askers.set(found, [each]);
      else asking.push(each);
    }
    for (const need of each.claims.deletion.needs) {
      if (need.external) needs.get(each)!.push(draft.external(need, each.place, `${each.place.rank}/${each.key}`, []));
      else for (const other of find(need.target)) if (other !== each) needs.get(each)!.push({ id: other.gone, because: need.because });
    }
  }
  for (const [needed, asking] of askers) outlive(draft, needed, asking, needs);
}

/** Many who needed many meet in one step, unless they are among each other. */
function outlive(draft: Draft, needed: readonly Going[], asking: readonly Going[], needs: ReadonlyMap<Going, StepNeed[]>): void {
  const gone = asking.map((each): StepNeed => ({ id: each.gone, because: tell(each, "needs it"), implied: true }));
  const [first] = asking;
  if (needed.length > 1 && asking.length > 1 && !asking.some((each) => needed.includes(each))) {
    const id = `join/removed/needed/${first!.key}/${needed[0]!.key}`;
    draft.add(id, { verb: "join", what: "those who need it" }, first!.place, gone);
    for (const each of needed) needs.get(each)!.push({ id, because: "others need it", implied: true });
    return;
  }
  for (const each of needed) {
    for (const [at, asker] of asking.entries()) {
      if (asker === each || (!each.loose && !asker.loose && asker.turn > each.turn)) continue;
      needs.get(each)!.push(gone[at]!);
    }
  }
}

function addSteps(draft: Draft, leaver: Going, needs: readonly StepNeed[]): void {
  const { ref, live, claims, place, item } = leaver;
  const uid = live.uid === undefined ? {} : { uid: live.uid };
  const timeout = claims.timeoutMs === undefined ? {} : { timeoutMs: claims.timeoutMs };
  const more = item.at === undefined ? {} : { at: item.at };
  draft.add(leaver.deleted, { verb: "delete", ref, propagation: propagationOf(leaver), ...uid }, place, needs, more);
  const gone = { verb: "await", ref, gates: absent, external: false, tracking: plainTracking, ...timeout, ...uid } as const;
  draft.add(leaver.gone, gone, place, [{ id: leaver.deleted, because: "deleted first" }], more);
}
