/**
 * Takes manifests to a cluster and follows them until they are ready.
 *
 * The stages are folders, each with its own front door. Nothing here knows a terminal: what happens comes out as Progress.
 */
export type { StepSubject, RunProgress, StepProgress, RunStatus, Progress, Verb } from "./progress.ts";
