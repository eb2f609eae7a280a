/**
 * Deploys manifests to a cluster and follows them until they are ready.
 *
 * Each stage is a folder with its own index.ts. Nothing here knows a terminal: all output is Progress.
 */
export type { StepSubject, RunProgress, StepProgress, RunStatus, LogProgress, EventProgress, Progress, Verb } from "./progress.ts";
