/**
 * Has profiles deployed again, though nothing has changed: the status of ClusterSummaries is reset, so that the controller finds
 * nothing that it has deployed.
 *
 * It writes the status of ClusterSummaries and nothing else. It does not know who chooses them, nor how results are shown.
 */
export { dependenciesFirst, ownerOf, resetSummary, type ResetResult } from "./reset-summary.ts";
