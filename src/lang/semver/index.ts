/**
 * Versions and constraints as Helm understands them (Masterminds/semver v3): lenient in parsing versions, with operators, ranges,
 * wildcards and alternatives in constraints, and prereleases only where a constraint names one.
 *
 * It works on text and knows neither charts nor clusters.
 */
export { parseConstraint, satisfies, type Constraint } from "./constraint.ts";
export { compareSemver, parseStrictVersion, parseVersion, versionText, type Version } from "./version.ts";
