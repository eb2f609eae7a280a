/**
 * Versions and what may be demanded of them, as Helm understands both (Masterminds/semver v3): generous in reading versions,
 * with operators, ranges, wildcards and alternatives in constraints, and prereleases only where they are asked for.
 *
 * It compares text with text. It knows neither charts nor clusters.
 */
export { parseConstraint, satisfies, type Constraint } from "./constraint.ts";
export { compareSemver, parseStrictVersion, parseVersion, versionText, type Version } from "./version.ts";
