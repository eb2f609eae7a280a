/**
 * Compares what a release was, is and would be: two revisions, two releases, a revision with the cluster, and a proposal with
 * what is there.
 *
 * It reads clusters, requests dry runs and changes nothing. Sensitive values are hidden in all that it returns. It does not
 * know how a difference is shown.
 */
export { compareReleases, compareRevisions } from "./compare-revisions.ts";
export { readDrift } from "./read-drift.ts";
export { readProposalDiffs } from "./read-proposal-diffs.ts";
