import type { Problem } from "../../core/fault/index.ts";
import type { Operation } from "../order/index.ts";
import type { Plan } from "../plan/index.ts";
import type { Release, Revision } from "../record/index.ts";
import type { PlanBasis } from "./plan-basis.ts";
import type { PlannedObject } from "./planned-object.ts";

/** An operation on a release, settled in full before anything is touched. Survives JSON. */
export type Proposal = {
  readonly release: Release;
  readonly operation: Operation;
  readonly plan: Plan;
  /** The revision that the plan deploys, deletes or tests. One that has not been saved yet begins with the first step. */
  readonly revision: Revision;
  /** An unfinished revision that is given up for this one, as it is to be saved. */
  readonly abandoned?: Revision;
  /** The release is deployed as it should be: there is nobody to write a revision for, and at most something to wait for. */
  readonly unchanged: boolean;
  /** Of such a release: an older revision still says that it is deployed, or there are too many, for somebody died before the records were in order. */
  readonly untidy?: boolean;
  /** The release's namespace is made first, for it is not there. */
  readonly createsNamespace: boolean;
  readonly warnings: readonly Problem[];
  /** What all of this rests on. */
  readonly basis: PlanBasis;
  /** The objects that are touched, as they are and as they would be. */
  readonly objects: readonly PlannedObject[];
};

/** What the user allows and asks for, whatever the operation. */
export type OperationPolicy = {
  readonly wait?: "all" | "hooks" | "none";
  readonly forceConflicts?: boolean;
  readonly takeOwnership?: boolean;
  readonly deleteData?: boolean;
};
