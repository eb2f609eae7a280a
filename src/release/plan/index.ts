/**
 * Plans an operation on a release in full, before anything changes.
 *
 * Pure: takes the desired, the previous and the live objects, and returns a Plan. It does not know how to reach a
 * cluster, how steps run or how a plan is shown.
 */
export { buildPlan } from "./build-plan.ts";
export { defaultTracking } from "./plan-builder.ts";
export { changesNothing } from "./changes-nothing.ts";
export { deferChecks } from "./defer-checks.ts";
export { takesPart } from "./stage-member.ts";
export type { LiveFacts, PlanInput, PlanOptions, DryRunResult, DesiredManifest, Refused } from "./plan-input.ts";
export type { Action, ApplyAction, AwaitAction, DeferredCheck, Plan, RecordAction, Step, StepNeed } from "./plan.ts";
