import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import type { Claims, Gate, Operation, Ordered, Stage } from "../order/index.ts";
import type { Live, Wanted } from "./input.ts";
import type { Change, StepNeed } from "./plan.ts";

/** An object in one stage of an operation, and what has been decided about it. */
export type Member = {
  readonly item: Wanted;
  readonly ref: ObjectRef;
  readonly key: string;
  readonly claims: Claims;
  readonly live: Live;
  readonly stage: Stage;
  readonly change: Change;
  /** Nothing is to be applied: it is as it should be, or to be left alone. */
  readonly untouched: boolean;
  readonly replace: boolean;
  readonly force: boolean;
  /** A hook that has done its part in an earlier run of this revision. */
  readonly done: boolean;
  readonly needs: Inside[];
  /** What holds back its first step. */
  begin: readonly StepNeed[];
  /** The step that applies it, unless nothing is to be applied. */
  readonly applied: string | undefined;
};

/** A need on another object of the release. */
export type Inside = { readonly on: Member; readonly gate: Gate; readonly because: string; readonly implied: boolean };

export const absent: Live = { exists: false };

/** Where an object takes part in an operation. One that says nothing of operations takes part in all that deploy. */
export function stagesOf(claims: Claims, operation: Operation): readonly Stage[] {
  const said = claims.stages[operation];
  if (said !== undefined) return said;
  if (Object.keys(claims.stages).length > 0 || operation === "delete" || operation === "test") return [];
  return [claims.stage];
}

/** Tells whether an operation applies an object. What does not take part any more leaves the release. */
export function takesPart(claims: Claims, operation: Operation): boolean {
  return stagesOf(claims, operation).length > 0;
}

export function liveOf({ ref }: Ordered<unknown>, live: ReadonlyMap<string, Live> | undefined): Live {
  return live?.get(keyOf(ref)) ?? absent;
}

/** The gates that applying alone does not open. */
export function laterGates({ gates }: Claims): readonly Gate[] {
  return gates.every(isLater) ? gates : gates.filter(isLater);
}

function isLater({ until }: Gate): boolean {
  return until !== "applied" && until !== "present";
}
