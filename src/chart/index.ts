/**
 * Helm charts as data: what the files of a chart say, which of its dependencies take part, and the values that its templates
 * are rendered with.
 *
 * Pure: files are handed in and values come out, in the Go types that templates see. It renders nothing, knows no cluster
 * and no release but what it is told, and prints no warning: whoever asks is told of them.
 */
export { unpack } from "./archive.ts";
export { definitionFiles, type Chart, type Dependency, type Lock, type Maintainer, type Metadata } from "./chart.ts";
export { coalesceTables, coalesceValues, mergeValues, type CoalesceOptions } from "./coalesce.ts";
export { missingDependencies, settleDependencies, type SettleOptions } from "./dependency.ts";
export { mostChartBytes, mostFileBytes, textOf, withoutMark, type ChartFile } from "./file.ts";
export { readIgnore, type Ignores } from "./ignore.ts";
export { loadArchive, loadChart } from "./load.ts";
export { pathMatcher } from "./path-match.ts";
export { schemaPreamble, schemaProblems } from "./schema-check.ts";
export { userValues, valuesForUpgrade, type Reuse, type ValueSources } from "./user-values.ts";
export { copyOf, goTarget, mergeMaps, readValues } from "./values-text.ts";
export type { Warn } from "./warning.ts";
