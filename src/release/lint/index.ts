/**
 * Looks a chart over: what its `Chart.yaml`, values, templates, definitions and dependencies have that Helm's own lint
 * complains of, in its words.
 *
 * Pure. It reads no file and asks no cluster; whether manifests can be put in order is for `order` to say.
 */
export { lintChart, type ChartFinding, type ChartLint, type LintOptions } from "./lint-chart.ts";
