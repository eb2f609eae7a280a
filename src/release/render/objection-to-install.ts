import { missingDependencies, type Chart } from "../../chart/index.ts";

/** Why a chart cannot be installed by itself, in Helm's words; undefined when it can. Models helm pkg/cmd/install.go runInstall */
export function objectionToInstall(chart: Chart): string | undefined {
  const { type } = chart.metadata;
  if (type !== "" && type !== "application") return `${type} charts are not installable`;
  const missing = missingDependencies(chart);
  if (missing.length === 0) return undefined;
  return (
    "an error occurred while checking for chart dependencies. You may need to run 'sluice dependency build' to fetch missing " +
    `dependencies: found in Chart.yaml, but missing in charts/ directory: ${missing.join(", ")}`
  );
}
