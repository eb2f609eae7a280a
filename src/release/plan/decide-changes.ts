import type { Problem } from "../../core/fault/index.ts";
import { keyOf, stringAt, titleOf, type ObjectRef } from "../../core/object/index.ts";
import type { OrderingConstraints, Ordered, Stage } from "../order/index.ts";
import { containerCures } from "../refusal/index.ts";
import type { LiveFacts, PlanInput, DesiredManifest, Refused } from "./plan-input.ts";
import { liveOf, stagesOf, type StageMember } from "./stage-member.ts";
import { immutableObjection } from "./immutable-objection.ts";
import { otherOwner, liveOwnerOf } from "./live-owner.ts";
import type { PlannedChange } from "./plan.ts";

/** What happens to one object. */
type Decision = { readonly change: PlannedChange; readonly untouched: boolean; readonly replace: boolean; readonly force: boolean };

/**
 * Decides what happens to each object of an operation, and reports what is not possible. A refusal that changes of
 * other objects may cure is no problem yet: only the finished plan shows whether they come before.
 */
export function decideChanges(input: PlanInput): { readonly members: readonly StageMember[]; readonly problems: readonly Problem[] } {
  const members: StageMember[] = [];
  const problems: Problem[] = [];
  const isLost = isLostIn(input);
  for (const ordered of input.desired) {
    const stages = stagesOf(ordered.constraints, input.operation);
    if (stages.length === 0) continue;
    const live = isLost(ordered.ref) ? lostContent(ordered.ref) : liveOf(ordered, input.live);
    const found = objectionsTo(ordered, live, input);
    const isFinal = found.some(({ cures = [] }) => cures.length === 0);
    if (isFinal) for (const { because } of found) problems.push(problemWith(ordered, because));
    const refused = isFinal ? undefined : found[0];
    for (const [nth, stage] of stages.entries()) members.push(memberOf(ordered, live, stage, nth, input, refused));
  }
  return { members, problems };
}

/** An object that goes with its namespace or definition is created again, whatever it is now. */
function lostContent(ref: ObjectRef): LiveFacts {
  return { exists: false, dryRun: { outcome: "refused", because: "it goes with its namespace or definition", cures: containerCures(ref) } };
}

/** Whether an object goes because its Namespace or CustomResourceDefinition is deleted and created again. */
function isLostIn(input: PlanInput): (ref: ObjectRef) => boolean {
  const [namespaces, kinds] = [new Set<string>(), new Set<string>()];
  for (const ordered of input.desired) {
    const { ref, item, constraints } = ordered;
    if (ref.kind !== "Namespace" && ref.kind !== "CustomResourceDefinition") continue;
    if (stagesOf(constraints, input.operation).length === 0) continue;
    const live = liveOf(ordered, input.live);
    const { replace, untouched } = decisionOf(constraints, live, false);
    if (!live.exists || untouched || !(replace || live.deleting === true)) continue;
    if (ref.kind === "Namespace") namespaces.add(ref.name);
    else kinds.add(`${stringAt(item.object, "spec.group", "")}/${stringAt(item.object, "spec.names.kind", "")}`);
  }
  return ({ group, kind, namespace }) => namespaces.has(namespace) || kinds.has(`${group}/${kind}`);
}

/** A problem with an object, by its position and name. */
export function problemWith({ item, ref }: Pick<Ordered<DesiredManifest>, "item" | "ref">, because: string): Problem {
  return { at: item.at ?? "", message: `${titleOf(ref)}: ${because}` };
}

function memberOf(
  ordered: Ordered<DesiredManifest>,
  live: LiveFacts,
  stage: Stage,
  nth: number,
  input: PlanInput,
  refused: Refused | undefined,
): StageMember {
  const { item, ref, constraints } = ordered;
  const key = keyOf(ref);
  const done = input.hooksDone?.has(`${stage}/${key}`) ?? false;
  const first = refused === undefined ? live : { ...live, dryRun: { ...refused, outcome: "refused" as const } };
  // In its second stage the object exists, whatever the dry run says now.
  const decision = decisionOf(
    constraints,
    nth === 0 ? first : { ...live, exists: true, deleting: false, dryRun: { outcome: "updated" } },
    isForced(live, input),
  );
  const untouched = decision.untouched || done;
  const applied = untouched ? undefined : `apply/${stage}/${constraints.rank}/${key}`;
  const check = refused === undefined || nth > 0 ? {} : { refused };
  return { item, ref, key, constraints, live, stage, ...decision, untouched, done, ...check, needs: [], begin: [], applied };
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
function objectionsTo({ ref, constraints }: Ordered<DesiredManifest>, live: LiveFacts, input: PlanInput): readonly Refused[] {
  if (!live.exists) return live.dryRun?.outcome === "refused" && !constraints.keep.create ? [live.dryRun] : [];
  const adoption = adoptionObjection(constraints, live, input);
  // Whose fields they are is asked once the object may be changed: adopting it takes over those of kubectl and Helm.
  const isEnough = adoption !== undefined && live.dryRun?.outcome === "conflict";
  const change = isEnough ? undefined : changeObjection(ref, constraints, live, input);
  return [...(adoption === undefined ? [] : [{ because: adoption }]), ...(change === undefined ? [] : [change])];
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

function changeObjection(ref: ObjectRef, constraints: OrderingConstraints, live: LiveFacts, input: PlanInput): Refused | undefined {
  const { dryRun, deleting } = live;
  if (dryRun === undefined || deleting === true || constraints.keep.update || constraints.deletePolicies.includes("before-creation"))
    return undefined;
  if (dryRun.outcome === "refused") return dryRun;
  if (dryRun.outcome === "immutable") return immutableObjection(ref, constraints, dryRun, input);
  if (dryRun.outcome !== "conflict" || isForced(live, input)) return undefined;
  const fields = dryRun.conflicts.map(({ field, manager }) => `${field} belongs to ${manager}`).join(", ");
  const other = otherOwner(live, input.release);
  const way = other === undefined ? "or take it over with --force-conflicts" : `for ${other} owns the object`;
  return { because: `${fields}: leave the field out, ${way}` };
}
