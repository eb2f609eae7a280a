/**
 * Checks manifests of a fleet without a cluster: reads the objects of Sveltos as the controllers do, and compiles the Lua, CEL and
 * templates in them and in content. What an object refers to is looked for among the manifests.
 *
 * Pure. It knows no order, and no cluster.
 */
export { lintSveltosManifests } from "./lint-sveltos-manifests.ts";
export { problemPosition } from "./problem-position.ts";
