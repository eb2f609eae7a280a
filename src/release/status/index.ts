/**
 * Reads the status of a release from its records and its live objects.
 *
 * It only reads and requests dry runs, and needs no process at work on the release. It does not know how a status is
 * shown; `why` explains waits from what `readRolloutStatus` returns.
 */
export { mayBeAbsent } from "./may-be-absent.ts";
export { readRevision, revisionOf } from "./read-revision.ts";
export { readRevisions } from "./read-revisions.ts";
export { endInRecord, whyUnrecorded } from "./recorded-end.ts";
export { readRolloutPlan } from "./read-rollout-plan.ts";
export { readRolloutStatus } from "./read-rollout-status.ts";
export { readStepStatuses } from "./read-step-statuses.ts";
export { readObjectStatuses, readReleaseStatus, type ObjectStatus, type ReleaseStatus } from "./release-status.ts";
