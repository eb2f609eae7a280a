import type { Problem } from "../../core/fault/index.ts";
import { keyOf, titleOf } from "../../core/object/index.ts";
import type { Claims, Ordered, Stage } from "../order/index.ts";
import type { Live, PlanInput, Wanted } from "./input.ts";
import { liveOf, stagesOf, type Member } from "./member.ts";
import { otherOwner, ownerOf } from "./owner.ts";
import type { Change } from "./plan.ts";

/** What is to become of one object. */
type Fate = { readonly change: Change; readonly untouched: boolean; readonly replace: boolean; readonly force: boolean };

/** Decides for every object of the operation what happens to it; what cannot happen is a problem. */
export function decide(input: PlanInput): { readonly members: readonly Member[]; readonly problems: readonly Problem[] } {
  const members: Member[] = [];
  const problems: Problem[] = [];
  for (const ordered of input.desired) {
    const stages = stagesOf(ordered.claims, input.operation);
    if (stages.length === 0) continue;
    const live = liveOf(ordered, input.live);
    const found = objectionsTo(ordered, live, input);
    for (const message of found) problems.push({ at: ordered.item.at ?? "", message: `${titleOf(ordered.ref)}: ${message}` });
    if (found.length > 0) continue;
    for (const [turn, stage] of stages.entries()) members.push(memberOf(ordered, live, stage, turn, input));
  }
  return { members, problems };
}

function memberOf(ordered: Ordered<Wanted>, live: Live, stage: Stage, turn: number, input: PlanInput): Member {
  const { item, ref, claims } = ordered;
  const key = keyOf(ref);
  const done = input.hooksDone?.has(`${stage}/${key}`) ?? false;
  // The second time round the first one is there, whatever the cluster says now.
  const fate = fateOf(claims, turn === 0 ? live : { ...live, exists: true, verdict: { says: "updated" } }, isForced(live, input));
  const untouched = fate.untouched || done;
  const applied = untouched ? undefined : `apply/${stage}/${claims.rank}/${key}`;
  return { item, ref, key, claims, live, stage, ...fate, untouched, done, needs: [], begin: [], applied };
}

/** What another release owns is never taken from it, field by field or whole. */
function isForced(live: Live, { release, options = {} }: PlanInput): boolean {
  return options.force === true && otherOwner(live, release) === undefined;
}

/** Models werf's decision per resource; what is not there yet is created, whatever stands in the way of changing it. */
function fateOf({ keep, deletePolicies }: Claims, { exists, verdict }: Live, force: boolean): Fate {
  const alone: Fate = { change: "unchanged", untouched: true, replace: false, force };
  const always = deletePolicies.includes("before-creation");
  if (!exists) return keep.create ? alone : { change: "created", untouched: false, replace: always, force };
  if (always || verdict?.says === "immutable")
    return keep.recreate ? alone : { change: "recreated", untouched: false, replace: true, force };
  if (verdict?.says === "unchanged" || keep.update) return alone;
  return { change: "updated", untouched: false, replace: false, force };
}

/** Everything that speaks against touching an object as the release wants it, each with its remedy. */
function objectionsTo({ claims }: Ordered<Wanted>, live: Live, input: PlanInput): readonly string[] {
  if (!live.exists) return live.verdict?.says === "refused" && !claims.keep.create ? [live.verdict.because] : [];
  return [adoption(claims, live, input), change(claims, live, input)].filter((text) => text !== undefined);
}

/** Adopting is for what nobody owns. What belongs to no release by its own word may meet another's object as long as it leaves that alone. */
function adoption(claims: Claims, live: Live, { release, options = {} }: PlanInput): string | undefined {
  if (release === undefined) return undefined;
  const other = otherOwner(live, release);
  const anyones = claims.ownership === "anyone";
  if (other !== undefined && !(anyones && fateOf(claims, live, false).untouched))
    return `it belongs to ${other}: give it another name, or take it out of that release first`;
  if (anyones || ownerOf(live) !== undefined || options.takeOwnership === true) return undefined;
  return "it is there already and belongs to no release: give it another name, or adopt it with --take-ownership";
}

function change(claims: Claims, live: Live, input: PlanInput): string | undefined {
  const { verdict } = live;
  if (verdict === undefined || claims.keep.update || claims.deletePolicies.includes("before-creation")) return undefined;
  if (verdict.says === "refused") return verdict.because;
  if (verdict.says === "immutable") return immutable(claims, verdict.because);
  if (verdict.says !== "conflict" || isForced(live, input)) return undefined;
  const fields = verdict.conflicts.map(({ field, manager }) => `${field} belongs to ${manager}`).join(", ");
  const other = otherOwner(live, input.release);
  const way = other === undefined ? "or take it over with --force-conflicts" : `for ${other} owns the object`;
  return `${fields}: leave the field out, ${way}`;
}

function immutable({ deletePolicies, keep }: Claims, because: string): string | undefined {
  if (keep.recreate || deletePolicies.includes("before-creation-if-immutable")) return undefined;
  return `${because}: leave the field as it is, or let it be replaced with the annotation werf.io/delete-policy: before-creation-if-immutable`;
}
