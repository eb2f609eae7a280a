/**
 * Helm charts as data: what the files of a chart say, which of its dependencies take part, and the values that its templates
 * are rendered with.
 *
 * Pure: files are handed in and values come out, in the Go types that templates see. It renders nothing, knows no cluster
 * and no release but what it is told, and prints no warning: whoever asks is told of them.
 */
export { unpackArchive } from "./archive.ts";
export { crdFiles, type Chart, type Dependency, type Lock, type Maintainer, type Metadata } from "./chart.ts";
export { coalesceTables, coalesceValues, mergeValues, type CoalesceOptions } from "./coalesce.ts";
export { missingDependencies, processDependencies, type ProcessDependenciesOptions } from "./process-dependencies.ts";
export { maxChartBytes, maxFileBytes, fileText, withoutByteOrderMark, type ChartFile } from "./chart-file.ts";
export { parseHelmIgnore, type IgnoreRules } from "./helmignore.ts";
export { loadArchive, loadChart } from "./load.ts";
export { pathMatcher } from "./path-matcher.ts";
export { schemaPreamble, validateAgainstSchema } from "./validate-against-schema.ts";
export { userValues, valuesForUpgrade, type Reuse, type ValueSources } from "./user-values.ts";
export { copyOf, goTarget, mergeMaps, readValues } from "./read-values.ts";
export type { Warn } from "./warning.ts";
