/**
 * Applies prepared manifests to a cluster in dependency order, and waits until they are ready.
 *
 * The only module that changes deployed objects. It does not know where manifests come from or how progress is shown.
 */
export { apply, type ApplyRunOptions } from "./apply.ts";
export type { ApplyContext } from "./apply-object.ts";
export type { LogScope } from "./run-logs.ts";
export { runPlan, type RunPlanOptions } from "./run-plan.ts";
export { asNew, type WriteGuard } from "./write-guard.ts";
