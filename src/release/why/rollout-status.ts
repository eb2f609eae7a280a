import type { Plan } from "../plan/index.ts";
import type { LeaseHolder, Release, RevisionState } from "../record/index.ts";
import type { ObjectRef } from "../../core/object/index.ts";

/** The status of a step, by the live objects. */
export type StepStatus =
  /** It has reached its goal. */
  | { readonly state: "done" }
  /** It has not reached its goal; `ref` is the object as discovery spells it. */
  | {
      readonly state: "progressing" | "failed" | "missing";
      readonly because: string;
      readonly ref?: ObjectRef;
      /** It has had its turn, and something outside the plan holds it up. */
      readonly held?: true;
    };

/** How far the rollout of a release's latest revision has come. */
export type RolloutStatus = {
  readonly release: Release;
  readonly revision: number;
  readonly state: RevisionState;
  readonly description: string;
  /** The holder of its Lease. */
  readonly holder?: LeaseHolder;
  /** The whole plan of this revision, including what is done. */
  readonly plan: Plan;
  /** By the ids of steps that touch or await an object; other steps never wait. */
  readonly stepStatuses: ReadonlyMap<string, StepStatus>;
};
