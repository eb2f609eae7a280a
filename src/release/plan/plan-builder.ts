import { titleOf, type ObjectRef } from "../../core/object/index.ts";
import type { OrderingConstraints, Gate, Need, Stage, Tracking } from "../order/index.ts";
import type { PlanInput } from "./plan-input.ts";
import { laterGates, type StageMember } from "./stage-member.ts";
import { targetId } from "./target-id.ts";
import { propagationOf } from "./propagation.ts";
import type { Action, ApplyAction, AwaitAction, Step, StepNeed } from "./plan.ts";

/** A step that may still get needs. */
export type MutableStep = Omit<Step, "needs"> & { needs: readonly StepNeed[] };

/** The stage and rank of a step. */
export type StageRank = { readonly stage: Stage; readonly rank: number };

/** The steps that whatever comes next waits for. Kept short by joins. */
export type Frontier = readonly StepNeed[];

/** The tracking of objects without a manifest. */
export const defaultTracking: Tracking = {
  failMode: "fail",
  blocking: true,
  ignoreProbeFailuresMs: {},
  logs: { skip: true, skipContainers: [], onlyContainers: [], replicas: 1, keep: [], drop: [], events: false },
};

/** Builds a plan. Await steps are added on demand, so that no plan waits for what nothing depends on. */
export class PlanBuilder {
  readonly input: PlanInput;
  readonly #steps = new Map<string, MutableStep>();
  /** The ids of default awaits by member, because they are looked up often. */
  readonly #awaits = new Map<StageMember, string>();

  constructor(input: PlanInput) {
    this.input = input;
  }

  get steps(): readonly MutableStep[] {
    return [...this.#steps.values()];
  }

  /** Adds a step unless the id exists. */
  add(id: string, action: Action, place: StageRank, needs: readonly StepNeed[], more: Partial<Step> = {}): string {
    if (!this.#steps.has(id)) this.#steps.set(id, { id, action, stage: place.stage, rank: place.rank, ...more, needs });
    return id;
  }

  has(id: string): boolean {
    return this.#steps.has(id);
  }

  join(id: string, what: string, place: StageRank, needs: readonly StepNeed[]): Frontier {
    // A join of a single step is that step.
    const [only] = needs;
    if (needs.length === 1 && only!.settled === undefined && only!.implied === undefined) return [{ ...only!, because: what }];
    this.add(id, { verb: "join", what }, place, needs);
    return [{ id, because: what }];
  }

  /** The step after which an object has passed its gates; undefined when it already has. */
  gatedStep(member: StageMember): string | undefined {
    const gates = laterGates(member.constraints);
    if (gates.length === 0 || !member.constraints.tracking.blocking) return member.applied;
    return this.awaitStep(member, gates);
  }

  /** The await of an object's rank, or undefined when its rank did not wait for it. */
  existingGatedStep(member: StageMember): string | undefined {
    const gates = laterGates(member.constraints);
    if (gates.length === 0 || !member.constraints.tracking.blocking) return member.applied;
    const id = this.#awaitId(member, gates);
    return this.has(id) ? id : undefined;
  }

  /** The step after which an object is ready, whatever its gates. */
  readyStep(member: StageMember): string | undefined {
    return member.constraints.tracking.blocking ? this.awaitStep(member, readyGatesOf(member)) : member.applied;
  }

  /** The wait for an object that no step touches. It is run only when somebody deletes the object during the run. */
  untouchedStep(member: StageMember): Step | undefined {
    const { untouched, done, live, constraints, stage, key } = member;
    if (!untouched || done || !live.exists || constraints.hook || constraints.keep.create) return undefined;
    const isAwaited = constraints.tracking.blocking && (this.input.options?.wait ?? "all") === "all";
    const action = awaitActionOf(member, isAwaited ? readyGatesOf(member) : [{ until: "present" }]);
    const id = `await/${stage}/${constraints.rank}/${key}#untouched`;
    return { id, action, stage, rank: constraints.rank, ...detailsOf(member), needs: [] };
  }

  /** A step that waits until all gates are open. */
  awaitStep(member: StageMember, gates: readonly Gate[]): string | undefined {
    if (member.done || isSatisfied(member, gates)) return member.applied;
    const id = this.#awaitId(member, gates);
    if (this.has(id)) return id;
    const needs = member.applied === undefined ? member.begin : [{ id: member.applied, because: "applied first" }];
    const { stage, constraints } = member;
    return this.add(id, awaitActionOf(member, gates), { stage, rank: constraints.rank }, needs, detailsOf(member));
  }

  /** A step that waits for an object outside the release. The members of a rank share it. */
  externalNeed({ target, gate, because }: Need, { stage, rank }: StageRank, shared: string, begin: Frontier): StepNeed {
    const home = this.input.release?.namespace ?? "";
    const namespace = target.namespace === undefined || target.namespace === "" ? home : target.namespace;
    const { group = "", version = "", kind = target.resource?.split(".")[0] ?? "", name = "", resource } = target;
    const ref: ObjectRef = { group, version, kind, namespace, name };
    const id = `await/${stage}/${shared}/external/${targetId({ ...target, namespace })}#${gateName(gate)}`;
    const action: Action = {
      verb: "await",
      ref,
      gates: [gate],
      external: true,
      tracking: defaultTracking,
      ...(resource === undefined ? {} : { resource }),
    };
    this.add(id, action, { stage, rank }, begin);
    return { id, because };
  }

  /** The default await needs no suffix. */
  #awaitId(member: StageMember, gates: readonly Gate[]): string {
    const { stage, constraints, key } = member;
    if (!isSame(gates, laterGates(constraints))) return `await/${stage}/${constraints.rank}/${key}#${gates.map(gateName).join("+")}`;
    const known = this.#awaits.get(member);
    if (known !== undefined) return known;
    const id = `await/${stage}/${constraints.rank}/${key}`;
    this.#awaits.set(member, id);
    return id;
  }
}

/** The gates behind which an object is ready. */
function readyGatesOf(member: StageMember): readonly Gate[] {
  const gates = laterGates(member.constraints);
  if (gates.some(({ until }) => until === "ready" || until === "completed")) return gates;
  const alone: readonly Gate[] = [{ until: "ready" }];
  // For kinds without a known status, written gates define readiness.
  const own = isSatisfied(member, alone) ? [] : gates.filter(({ until }) => until === "properties" || until === "rule");
  return [...own, ...alone];
}

function awaitActionOf(member: StageMember, gates: readonly Gate[]): AwaitAction {
  const { constraints, ref } = member;
  return {
    verb: "await",
    ref,
    gates: gates.map((gate) => withHealth(gate, constraints)),
    external: false,
    tracking: constraints.tracking,
    ...(constraints.timeoutMs === undefined ? {} : { timeoutMs: constraints.timeoutMs }),
    ...(member.live.silent === true && !member.replace ? { silent: true } : {}),
    ...(member.applied === undefined && !constraints.keep.create ? { recreate: { ...applyOf(member, false), change: "created" } } : {}),
  };
}

function isSame(gates: readonly Gate[], others: readonly Gate[]): boolean {
  if (gates === others) return true;
  if (gates.length !== others.length) return false;
  return gates.every((gate, at) => gate === others[at] || JSON.stringify(gate) === JSON.stringify(others[at]));
}

/** The action that applies an object. `brought`: its CRD is of this release and may not be served yet. */
export function applyOf(member: StageMember, brought: boolean): ApplyAction {
  const { ref, item, change, replace, force, constraints, live } = member;
  const deleting = live.deleting === true && !replace ? live.uid : undefined;
  const { clientSideManagers } = live;
  return {
    verb: "apply",
    ref,
    manifest: item.object,
    change,
    replace,
    ...(deleting === undefined ? {} : { deleting }),
    ...(live.deletion === undefined ? {} : { deletion: live.deletion }),
    force,
    propagation: propagationOf(member),
    ...(clientSideManagers === undefined || replace || deleting !== undefined ? {} : { clientSideManagers }),
    waitForKind: constraints.waitForKind || brought,
    ...(constraints.replicasOnCreation === undefined ? {} : { replicasOnCreation: constraints.replicasOnCreation }),
    ...(constraints.timeoutMs === undefined ? {} : { timeoutMs: constraints.timeoutMs }),
  };
}

/** The step fields that come from its object. */
export function detailsOf({ constraints, item }: StageMember): Partial<Step> {
  return {
    ...(constraints.hook ? { hook: true } : {}),
    ...(item.at === undefined ? {} : { at: item.at }),
    ...(constraints.tracking.logs.skip ? {} : { logs: constraints.tracking.logs }),
    ...(constraints.deletePolicies.length === 0 ? {} : { policies: constraints.deletePolicies }),
  };
}

/** Whether no wait is needed: nothing is applied and the live object is ready. */
function isSatisfied({ untouched, live, constraints }: StageMember, gates: readonly Gate[]): boolean {
  if (!untouched || constraints.health !== undefined) return false;
  return !live.exists || (live.ready === true && gates.every(({ until }) => until === "ready" || until === "completed"));
}

function withHealth(gate: Gate, { health }: OrderingConstraints): Gate {
  return gate.until === "ready" && health !== undefined ? { until: "rule", rule: health } : gate;
}

export function gateName(gate: Gate): string {
  if (gate.until === "properties") return gate.properties.map(({ path, value }) => `${path}=${value}`).join(",");
  return gate.until === "rule" ? gate.rule : gate.until;
}

export function reasonText(member: { readonly ref: ObjectRef }, what: string): string {
  return `${titleOf(member.ref)} ${what}`;
}
