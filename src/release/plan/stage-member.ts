import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import type { OrderingConstraints, Gate, Operation, Ordered, Stage } from "../order/index.ts";
import type { LiveFacts, DesiredManifest } from "./plan-input.ts";
import type { PlannedChange, StepNeed } from "./plan.ts";

/** An object in one stage of an operation, and what has been decided about it. */
export type StageMember = {
  readonly item: DesiredManifest;
  readonly ref: ObjectRef;
  readonly key: string;
  readonly claims: OrderingConstraints;
  readonly live: LiveFacts;
  readonly stage: Stage;
  readonly change: PlannedChange;
  /** Nothing is to be applied: it is as it should be, or to be left alone. */
  readonly untouched: boolean;
  readonly replace: boolean;
  readonly force: boolean;
  /** A hook that has done its part in an earlier run of this revision. */
  readonly done: boolean;
  readonly needs: MemberNeed[];
  /** What holds back its first step. */
  begin: readonly StepNeed[];
  /** The step that applies it, unless nothing is to be applied. */
  readonly applied: string | undefined;
};

/** A need on another object of the release. */
export type MemberNeed = { readonly on: StageMember; readonly gate: Gate; readonly because: string; readonly implied: boolean };

export const absentLive: LiveFacts = { exists: false };

/** Where an object takes part in an operation. One that says nothing of operations takes part in all that deploy. */
export function stagesOf(claims: OrderingConstraints, operation: Operation): readonly Stage[] {
  const said = claims.stages[operation];
  if (said !== undefined) return said;
  if (Object.keys(claims.stages).length > 0 || operation === "delete" || operation === "test") return [];
  return [claims.stage];
}

/** Tells whether an operation applies an object. What does not take part any more leaves the release. */
export function takesPart(claims: OrderingConstraints, operation: Operation): boolean {
  return stagesOf(claims, operation).length > 0;
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
