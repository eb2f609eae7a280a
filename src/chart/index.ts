/**
 * Helm charts as data: the content of a chart's files, the dependencies that are enabled, and the values that its
 * templates are rendered with.
 *
 * Pure: files go in and values come out, in the Go types that templates see. It renders nothing, knows no cluster, and
 * returns warnings to the caller instead of printing them.
 */
export { unpackArchive } from "./archive.ts";
export { crdFiles, type Chart, type Dependency, type Lock, type Maintainer, type Metadata } from "./chart.ts";
export { coalesceTables, coalesceValues, mergeValues } from "./coalesce.ts";
export { missingDependencies, processDependencies } from "./process-dependencies.ts";
export { maxChartBytes, maxFileBytes, fileText, withoutByteOrderMark, type ChartFile } from "./chart-file.ts";
export { parseHelmIgnore, type IgnoreRules } from "./helmignore.ts";
export { loadArchive, loadChart } from "./load.ts";
export { pathMatcher } from "./path-matcher.ts";
export type { RemoteSchema, RemoteSchemas, SchemaLoader } from "./schema/index.ts";
export { schemaPreamble, validateAgainstSchema } from "./validate-against-schema.ts";
export { userValues, valuesForUpgrade, type Reuse, type ValueSources } from "./user-values.ts";
export { mergeMaps, readValues } from "./read-values.ts";
export type { Warn } from "./warning.ts";
