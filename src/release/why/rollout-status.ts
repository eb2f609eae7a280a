import type { Plan } from "../plan/index.ts";
import type { LeaseHolder, Release, RevisionState } from "../record/index.ts";
import type { ObjectRef } from "../../core/object/index.ts";

/** How a step of a plan stands, judged by the cluster as it is. */
export type StepStatus =
  /** What it is for has been reached. */
  | { readonly state: "done" }
  /** It has not, or not yet; `ref` is the object as the cluster spells it. */
  | { readonly state: "progressing" | "failed" | "missing"; readonly because: string; readonly ref?: ObjectRef };

/** A release in the middle of its way, or at the end of it. */
export type RolloutStatus = {
  readonly release: Release;
  readonly revision: number;
  readonly state: RevisionState;
  readonly description: string;
  /** Who is at work on it. */
  readonly holder?: LeaseHolder;
  /** All that has to be done for this revision, whether it has been done or not. */
  readonly plan: Plan;
  /** By the ids of the steps that touch or await an object; a step that is not in it has nothing to wait for. */
  readonly stepStatuses: ReadonlyMap<string, StepStatus>;
};
