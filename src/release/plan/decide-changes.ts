import type { Problem } from "../../core/fault/index.ts";
import { keyOf, titleOf } from "../../core/object/index.ts";
import type { OrderingConstraints, Ordered, Stage } from "../order/index.ts";
import type { LiveFacts, PlanInput, DesiredManifest } from "./plan-input.ts";
import { liveOf, stagesOf, type StageMember } from "./stage-member.ts";
import { otherOwner, liveOwnerOf } from "./live-owner.ts";
import type { PlannedChange } from "./plan.ts";

/** What happens to one object. */
type Decision = { readonly change: PlannedChange; readonly untouched: boolean; readonly replace: boolean; readonly force: boolean };

/** Decides what happens to each object of an operation, and reports what is not possible. */
export function decideChanges(input: PlanInput): { readonly members: readonly StageMember[]; readonly problems: readonly Problem[] } {
  const members: StageMember[] = [];
  const problems: Problem[] = [];
  for (const ordered of input.desired) {
    const stages = stagesOf(ordered.constraints, input.operation);
    if (stages.length === 0) continue;
    const live = liveOf(ordered, input.live);
    const found = objectionsTo(ordered, live, input);
    for (const message of found) problems.push({ at: ordered.item.at ?? "", message: `${titleOf(ordered.ref)}: ${message}` });
    if (found.length > 0) continue;
    for (const [nth, stage] of stages.entries()) members.push(memberOf(ordered, live, stage, nth, input));
  }
  return { members, problems };
}

function memberOf(ordered: Ordered<DesiredManifest>, live: LiveFacts, stage: Stage, nth: number, input: PlanInput): StageMember {
  const { item, ref, constraints } = ordered;
  const key = keyOf(ref);
  const done = input.hooksDone?.has(`${stage}/${key}`) ?? false;
  // In its second stage the object exists, whatever the dry run says now.
  const decision = decisionOf(
    constraints,
    nth === 0 ? live : { ...live, exists: true, deleting: false, dryRun: { outcome: "updated" } },
    isForced(live, input),
  );
  const untouched = decision.untouched || done;
  const applied = untouched ? undefined : `apply/${stage}/${constraints.rank}/${key}`;
  return { item, ref, key, constraints, live, stage, ...decision, untouched, done, needs: [], begin: [], applied };
}

/** Fields of another release's objects are never taken over. */
function isForced(live: LiveFacts, { release, options = {} }: PlanInput): boolean {
  return options.force === true && otherOwner(live, release) === undefined;
}

/** Models werf's decision per resource. A missing object is created, even if updating it would be refused; one that is being deleted, too. */
function decisionOf(
  { keep, deletePolicies }: OrderingConstraints,
  { exists, deleting, dryRun, clientSideManagers }: LiveFacts,
  force: boolean,
): Decision {
  const alone: Decision = { change: "unchanged", untouched: true, replace: false, force };
  const always = deletePolicies.includes("before-creation");
  if (!exists || (deleting === true && !always))
    return keep.create ? alone : { change: "created", untouched: false, replace: always, force };
  if (always || dryRun?.outcome === "immutable")
    return keep.recreate ? alone : { change: "recreated", untouched: false, replace: true, force };
  if (keep.update) return alone;
  // Only who owns its fields changes. Otherwise the next apply, also one of Helm's, would conflict with the former owner.
  if (dryRun?.outcome === "unchanged") return { ...alone, untouched: clientSideManagers === undefined };
  return { change: "updated", untouched: false, replace: false, force };
}

/** All objections to changing an object, each with its remedy. */
function objectionsTo({ constraints }: Ordered<DesiredManifest>, live: LiveFacts, input: PlanInput): readonly string[] {
  if (!live.exists) return live.dryRun?.outcome === "refused" && !constraints.keep.create ? [live.dryRun.because] : [];
  return [adoptionObjection(constraints, live, input), changeObjection(constraints, live, input)].filter((text) => text !== undefined);
}

/** Adopting is for objects without an owner. An object with ownership `anyone` may exist in another release if it is left unchanged. */
function adoptionObjection(constraints: OrderingConstraints, live: LiveFacts, { release, options = {} }: PlanInput): string | undefined {
  if (release === undefined) return undefined;
  const other = otherOwner(live, release);
  const anyones = constraints.ownership === "anyone";
  if (other !== undefined && !(anyones && decisionOf(constraints, live, false).untouched))
    return `it belongs to ${other}: give it another name, or take it out of that release first`;
  if (anyones || live.deleting === true || liveOwnerOf(live) !== undefined || options.takeOwnership === true) return undefined;
  return `it is there already and ${ownershipText(live)}: give it another name, or adopt it with --take-ownership`;
}

function ownershipText({ formerOwner }: LiveFacts): string {
  if (formerOwner === undefined) return "belongs to no release";
  return `is left over from release ${formerOwner.name} in ${formerOwner.namespace}, which was deleted`;
}

function changeObjection(constraints: OrderingConstraints, live: LiveFacts, input: PlanInput): string | undefined {
  const { dryRun, deleting } = live;
  if (dryRun === undefined || deleting === true || constraints.keep.update || constraints.deletePolicies.includes("before-creation"))
    return undefined;
  if (dryRun.outcome === "refused") return dryRun.because;
  if (dryRun.outcome === "immutable") return immutableObjection(constraints, dryRun.because, input);
  if (dryRun.outcome !== "conflict" || isForced(live, input)) return undefined;
  const fields = dryRun.conflicts.map(({ field, manager }) => `${field} belongs to ${manager}`).join(", ");
  const other = otherOwner(live, input.release);
  const way = other === undefined ? "or take it over with --force-conflicts" : `for ${other} owns the object`;
  return `${fields}: leave the field out, ${way}`;
}

/** A rollback applies recorded manifests, which nobody can edit: there the object has to go first. */
function immutableObjection({ deletePolicies, keep }: OrderingConstraints, because: string, { operation }: PlanInput): string | undefined {
  if (keep.recreate || deletePolicies.includes("before-creation-if-immutable")) return undefined;
  const annotation = "the annotation werf.io/delete-policy: before-creation-if-immutable";
  return operation === "rollback"
    ? `${because}: delete the object and run the same command again, or deploy the earlier manifests with ${annotation}`
    : `${because}: leave the field as it is, or let it be replaced with ${annotation}`;
}
