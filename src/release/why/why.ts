import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import type { Action, Step } from "../plan/index.ts";
import { failureReasonIn, isUnfinished } from "../record/index.ts";
import type { WaitExplanation, BlockingObject, WaitingObject } from "./wait-explanation.ts";
import { BlockerIndex, type BlockingStep } from "./blocker-index.ts";
import type { RolloutStatus, StepStatus } from "./rollout-status.ts";

/** Explains for every object that has not reached its goal what it lacks and what it waits for. */
export function why(rollout: RolloutStatus): WaitExplanation {
  const { plan, stepStatuses, ...rest } = rollout;
  const blockerIndex = new BlockerIndex(plan, stepStatuses);
  const firstOpen = new Map<string, Step>();
  const idOf = new Map<string, string>();
  for (const step of plan.steps) {
    const id = blockerIndex.isOpen(step) ? waitSubjectOf(step) : undefined;
    if (id === undefined) continue;
    idOf.set(step.id, id);
    if (!firstOpen.has(id)) firstOpen.set(id, step);
  }
  const needsOf = sharedNeeds(idOf);
  const waiting = [...firstOpen].map(([id, step]): WaitingObject => {
    const blockers = waitsForOthers(step, rollout) ? blockerIndex.before(step) : [];
    return waitingOf(id, step, stepStatuses.get(step.id)!, needsOf(blockers), rollout);
  });
  return { ...rest, waiting };
}

/** The id of what a step is about: one for all steps of an object in a stage. Undefined for steps without an object. */
export function waitSubjectOf({ action, stage }: Step): string | undefined {
  if (action.verb === "join" || action.verb === "record") return undefined;
  if (action.verb === "await" && action.external) return `outside/${action.resource ?? ""}/${keyOf(action.ref)}`;
  return lackOf(action) === "gone" ? `gone/${keyOf(action.ref)}` : `${stage}/${keyOf(action.ref)}`;
}

function lackOf(action: Action): WaitingObject["lacks"] {
  if (action.verb === "apply") return "applied";
  if (action.verb === "delete") return "gone";
  return action.verb === "await" && action.gates.some(({ until }) => until === "absent") ? "gone" : "ready";
}

/** An applied or deleted object waits for nothing but itself; so does every object of a deployed release. */
function waitsForOthers({ action }: Step, rollout: RolloutStatus): boolean {
  return (action.verb === "apply" || action.verb === "delete") && (isUnfinished(rollout) || rollout.state === "failed");
}

/** Objects for a shared list of steps are computed once. */
function sharedNeeds(idOf: ReadonlyMap<string, string>): (blockers: readonly BlockingStep[]) => readonly BlockingObject[] {
  const known = new Map<readonly BlockingStep[], readonly BlockingObject[]>();
  return (blockers) => {
    const found = known.get(blockers) ?? needsIn(blockers, idOf);
    known.set(blockers, found);
    return found;
  };
}

function needsIn(blockers: readonly BlockingStep[], idOf: ReadonlyMap<string, string>): readonly BlockingObject[] {
  const needs = new Map<string, BlockingObject>();
  for (const { id, because } of blockers) {
    const on = idOf.get(id);
    if (on !== undefined && !needs.has(on)) needs.set(on, { on, because });
  }
  return [...needs.values()];
}

function waitingOf(
  id: string,
  { action }: Step,
  status: StepStatus,
  waitsFor: readonly BlockingObject[],
  rollout: RolloutStatus,
): WaitingObject {
  if (action.verb === "join" || action.verb === "record" || status.state === "done") throw new TypeError(`${id} waits for nothing`);
  const lacks = lackOf(action);
  const isFirst = action.verb !== "await" && waitsFor.length === 0;
  return {
    id,
    ref: status.ref ?? action.ref,
    external: action.verb === "await" && action.external,
    lacks,
    state: status.state,
    because: isFirst
      ? [withRecordedReason(status.because, action.ref, rollout), ...nextActions(status, rollout)].join("; ")
      : status.because,
    waitsFor,
  };
}

/** Live objects do not show why one of them was refused; the record of the failed revision does. */
function withRecordedReason(because: string, ref: ObjectRef, rollout: RolloutStatus): string {
  const reason = failureReasonIn(rollout, ref);
  return reason === undefined ? because : `${because}, for it failed: ${reason}`;
}

/** What to expect for a step that nothing blocks. */
function nextActions({ held }: Exclude<StepStatus, { state: "done" }>, rollout: RolloutStatus): readonly string[] {
  const { holder } = rollout;
  if (holder !== undefined && !holder.silent) return held === true ? [] : ["it is its turn"];
  if (isUnfinished(rollout)) return ["the same command carries it on"];
  return ["deploy the release again"];
}
