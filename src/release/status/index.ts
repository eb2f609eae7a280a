/**
 * Reads how a release is doing: from its records, and from the cluster as it is right now.
 *
 * It only reads, and asks for dry runs. It needs nobody at work on the release, and knows neither how what it finds is
 * shown nor, of what waits, why: `why` follows that from what `situationOf` finds.
 */
export { readRevisions } from "./revisions.ts";
export { situationOf } from "./situation.ts";
export { objectStatuses, status, type ObjectStatus, type ReleaseStatus } from "./status.ts";
