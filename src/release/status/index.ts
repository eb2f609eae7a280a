/**
 * Reads how a release is doing: from its records, and from the cluster as it is right now.
 *
 * It only reads, and asks for dry runs. It needs nobody at work on the release, and knows neither how what it finds is
 * shown nor, of what waits, why: `why` follows that from what `situationOf` finds.
 */
export { readRevisions } from "./read-revisions.ts";
export { readRolloutStatus } from "./read-rollout-status.ts";
export { readObjectStatuses, readReleaseStatus, type ObjectStatus, type ReleaseStatus } from "./release-status.ts";
