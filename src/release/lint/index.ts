/**
 * Lints charts: reports what Helm's lint reports about `Chart.yaml`, values, templates, CRDs and dependencies, in its
 * words.
 *
 * Pure. It reads no files and no cluster. `order` checks whether manifests can be ordered.
 */
export { lintChart, type ChartFinding } from "./lint-chart.ts";
