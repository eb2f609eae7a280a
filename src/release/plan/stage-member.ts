import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import type { OrderingConstraints, Gate, Operation, Ordered, Stage } from "../order/index.ts";
import type { LiveFacts, DesiredManifest, Refused } from "./plan-input.ts";
import type { PlannedChange, StepNeed } from "./plan.ts";

/** An object in one stage of an operation, and the decision about it. */
export type StageMember = {
  readonly item: DesiredManifest;
  readonly ref: ObjectRef;
  readonly key: string;
  readonly constraints: OrderingConstraints;
  readonly live: LiveFacts;
  readonly stage: Stage;
  readonly change: PlannedChange;
  /** Nothing is applied: it is up to date or is to be left alone. */
  readonly untouched: boolean;
  readonly replace: boolean;
  readonly force: boolean;
  /** A hook that has succeeded in an earlier run of this revision. */
  readonly done: boolean;
  /** The API server refuses it as things are. Changes of other objects may cure that. */
  readonly refused?: Refused;
  readonly needs: MemberNeed[];
  /** What its first step waits for. */
  begin: readonly StepNeed[];
  /** The step that applies it, unless it is untouched. */
  readonly applied: string | undefined;
};

/** A need on another object of the release. */
type MemberNeed = { readonly on: StageMember; readonly gate: Gate; readonly because: string; readonly implied: boolean };

const absentLive: LiveFacts = { exists: false };

/** The stages of an object in an operation. Without annotations it takes part in every operation that deploys. */
export function stagesOf(constraints: OrderingConstraints, operation: Operation): readonly Stage[] {
  const staged = constraints.stages[operation];
  if (staged !== undefined) return staged;
  if (Object.keys(constraints.stages).length > 0 || operation === "delete" || operation === "test") return [];
  return [constraints.stage];
}

/** Whether an operation applies an object. What no longer takes part has left the release. */
export function takesPart(constraints: OrderingConstraints, operation: Operation): boolean {
  return stagesOf(constraints, operation).length > 0;
}

export function liveOf({ ref }: Ordered<unknown>, live: ReadonlyMap<string, LiveFacts> | undefined): LiveFacts {
  return live?.get(keyOf(ref)) ?? absentLive;
}

/** The gates that applying alone does not open. */
export function laterGates({ gates }: OrderingConstraints): readonly Gate[] {
  return gates.every(isLater) ? gates : gates.filter(isLater);
}

function isLater({ until }: Gate): boolean {
  return until !== "applied" && until !== "present";
}
