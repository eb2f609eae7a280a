import { stringAt } from "../../core/object/index.ts";
import { finder } from "../order/index.ts";
import { decide } from "./decide.ts";
import { detailsOf, Draft, type Front } from "./draft.ts";
import type { PlanInput, Planned } from "./input.ts";
import { absences, leaversOf, type Leaver } from "./leaver.ts";
import type { Member } from "./member.ts";
import { findNeeds, insideNeeds } from "./needs.ts";
import type { Action, StepNeed } from "./plan.ts";
import { propagationOf } from "./propagation.ts";
import { layRanks } from "./ranked.ts";
import { recordBegin, recordEnd } from "./records.ts";
import { layRemoval } from "./removal.ts";
import { laySerial } from "./serial.ts";
import { settle } from "./settle.ts";

/**
 * Decides what an operation will do: definitions, pre hooks, the main resources rank by rank, the removal of what left
 * the release, post hooks, and the records around it. Pure; linear in objects and needs.
 */
export function plan(input: PlanInput): Planned {
  const { members, problems } = decide(input);
  if (problems.length > 0) return { problems };
  const home = input.release?.namespace ?? "";
  const find = finder(members, ({ ref }) => ref, home);
  findNeeds(members, find);
  const { going, kept } = leaversOf(input, members);
  const draft = new Draft(input);
  layStages(draft, members, going);
  const brought = kindsBroughtBy(members);
  for (const member of members) {
    if (member.applied === undefined) continue;
    const inside = insideNeeds(draft, member, find);
    const needs = inside.length === 0 ? unique(member.begin) : unique([...member.begin, ...inside]);
    const { stage, claims } = member;
    draft.add(member.applied, applyOf(member, brought), { stage, rank: claims.rank }, needs, detailsOf(member));
  }
  const settled = settle(draft.steps);
  if ("problems" in settled) return settled;
  const { operation, release } = input;
  return { plan: { version: 1, operation, ...(release === undefined ? {} : { release }), steps: settled.steps, kept } };
}

function layStages(draft: Draft, members: readonly Member[], going: readonly Leaver[]): void {
  const of = (stage: Member["stage"]) => members.filter((member) => member.stage === stage);
  const early = earlyLeavers(draft, members, going);
  const later = going.filter(({ key }) => !early.has(key));
  let front: Front = recordBegin(draft);
  front = layRanks(draft, "crds", of("crds"), front);
  front = laySerial(draft, "pre", of("pre"), front);
  front = layRemoval(
    draft,
    going.filter(({ key }) => early.has(key)),
    front,
    "before",
  );
  front = layRanks(draft, "main", of("main"), front);
  front = layRemoval(draft, later, front, "after");
  front = laySerial(draft, "post", of("post"), front);
  recordEnd(draft, front);
}

/** What goes before the main resources: it says so, or one of them needs it gone. */
function earlyLeavers({ input }: Draft, members: readonly Member[], going: readonly Leaver[]): ReadonlySet<string> {
  const early = new Set(input.operation === "delete" ? [] : going.filter(({ claims }) => claims.remove === "before").map(({ key }) => key));
  const find = finder(going, ({ ref }) => ref, input.release?.namespace ?? "");
  for (const { need } of absences(members)) for (const { key } of find(need.target)) early.add(key);
  return early;
}

function applyOf(member: Member, brought: ReadonlySet<string>): Action {
  const { ref, item, change, replace, force, claims } = member;
  return {
    verb: "apply",
    ref,
    manifest: item.object,
    change,
    replace,
    force,
    propagation: propagationOf(member),
    waitForKind: claims.waitForKind || brought.has(`${ref.group}/${ref.kind}`),
    ...(claims.replicasOnCreation === undefined ? {} : { replicasOnCreation: claims.replicasOnCreation }),
    ...(claims.timeoutMs === undefined ? {} : { timeoutMs: claims.timeoutMs }),
  };
}

/** The kinds whose definitions come with the release: right after that they may not be served yet. */
function kindsBroughtBy(members: readonly Member[]): ReadonlySet<string> {
  const definitions = members.filter(({ ref }) => ref.kind === "CustomResourceDefinition");
  return new Set(
    definitions.map(({ item }) => `${stringAt(item.object, "spec.group", "")}/${stringAt(item.object, "spec.names.kind", "")}`),
  );
}

/** One need on each step; what somebody wrote tells more than a place in the order. */
function unique(needs: readonly StepNeed[]): readonly StepNeed[] {
  if (needs.length < 2) return needs;
  const found = new Map<string, StepNeed>();
  for (const need of needs) {
    const known = found.get(need.id);
    if (known === undefined || known.implied === true) found.set(need.id, need);
  }
  return [...found.values()];
}
