import type { Problem } from "../../core/fault/index.ts";
import type { Operation } from "../order/index.ts";
import type { Plan } from "../plan/index.ts";
import type { Release, Revision } from "../record/index.ts";
import type { PlanBasis } from "./plan-basis.ts";
import type { PlannedObject } from "./planned-object.ts";

/** An operation on a release, decided in full before anything changes. Survives JSON. */
export type Proposal = {
  readonly release: Release;
  readonly operation: Operation;
  readonly plan: Plan;
  /** The revision that the plan deploys, deletes or tests. A new one is saved by the first step. */
  readonly revision: Revision;
  /** An unfinished revision that this one replaces, in the form in which it is saved. */
  readonly abandoned?: Revision;
  /** The release is deployed and up to date: no revision is written, and the plan only waits. */
  readonly unchanged: boolean;
  /**
   * The release is unchanged, but an older revision is still marked deployed or the history is too long, because a
   * process died before it pruned the records.
   */
  readonly untidy?: boolean;
  /** The release's namespace does not exist and is created first. */
  readonly createsNamespace: boolean;
  readonly warnings: readonly Problem[];
  /** What the proposal was computed from. */
  readonly basis: PlanBasis;
  /** The objects that the plan touches, live and as they would be. */
  readonly objects: readonly PlannedObject[];
};

/** What the user allows, for every operation. */
export type OperationPolicy = {
  readonly wait?: "all" | "hooks" | "none";
  readonly forceConflicts?: boolean;
  readonly takeOwnership?: boolean;
  readonly deleteData?: boolean;
  /** Runs no hooks. They stay in the record. Default false. */
  readonly noHooks?: boolean;
};
