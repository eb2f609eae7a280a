/**
 * Decides what a release will do, in full, before anything is touched.
 *
 * Pure: takes what is desired, what was deployed and what is live; gives a Plan. It does not know how to reach a
 * cluster, how steps are run or how a plan is shown.
 */
export { plan } from "./build.ts";
export { plainTracking } from "./draft.ts";
export { changesNothing } from "./changes-nothing.ts";
export { takesPart } from "./member.ts";
export type { Live, PlanInput, Planned, PlanOptions, Verdict, Wanted } from "./input.ts";
export type { Action, Change, Outcome, Plan, Propagation, RecordAction, Step, StepNeed } from "./plan.ts";
