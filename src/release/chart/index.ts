/**
 * Takes a chart to a cluster: what its templates are told of it (versions, kinds, objects that they look up), which values of
 * the revision before count, and what of it all becomes a deploy.
 *
 * It reads clusters and changes nothing. It does not know where charts come from.
 */
export { readCapabilities } from "./read-capabilities.ts";
export { renderRelease, type ChartRequest, type RenderedRelease } from "./render-release.ts";
