/**
 * Renders a chart for a release of a cluster: reads capabilities and `lookup` objects from the cluster, merges the
 * values of the previous revision, and returns what to deploy.
 *
 * It reads clusters and changes nothing. It does not know where charts come from.
 */
export { renderRelease, type ChartRequest } from "./render-release.ts";
export { ChartRenderer, type ChartArchive, type ChartAttempt, type ChartReply } from "./chart-renderer.ts";
export { renderElsewhere } from "./render-elsewhere.ts";
