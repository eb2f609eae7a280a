/**
 * Brings prepared manifests into a cluster, foundations first, and follows them until they are ready.
 *
 * The only module that changes what is deployed. It knows nothing of where manifests come from or how progress is shown.
 */
export { apply, proposeApply, type ApplyOptions, type ApplyTerms } from "./apply.ts";
export { examine, prepare, type Examination, type Preparation, type Prepared, type PrepareOptions } from "./prepare.ts";
export type { Site } from "./perform.ts";
export { run, type RunOptions } from "./run.ts";
