/**
 * Decides what a release will do, in full, before anything is touched.
 *
 * Pure: takes what is desired, what was deployed and what is live; gives a Plan. It does not know how to reach a
 * cluster, how steps are run or how a plan is shown.
 */
export { buildPlan } from "./build-plan.ts";
export { defaultTracking } from "./plan-builder.ts";
export { changesNothing } from "./changes-nothing.ts";
export { takesPart } from "./stage-member.ts";
export type { LiveFacts, PlanInput, PlanResult, PlanOptions, DryRunResult, DesiredManifest } from "./plan-input.ts";
export type { Action, PlannedChange, RequiredOutcome, Plan, Propagation, RecordAction, Step, StepNeed } from "./plan.ts";
