/**
 * Checks manifests of a fleet without a cluster: reads the objects of Sveltos as the controllers do, and compiles the Lua, CEL and
 * templates in them and in content.
 *
 * Pure. It knows no order, and nothing that an object refers to.
 */
export { lintSveltosManifests } from "./lint-sveltos-manifests.ts";
export { problemPosition } from "./problem-position.ts";
