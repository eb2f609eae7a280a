import { crdFiles, missingDependencies, type Chart, type RemoteSchemas } from "../../chart/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { isFields, stringAt } from "../../core/object/index.ts";
import type { Environment } from "../../lang/sprig/index.ts";
import { Engine, fromBytes, type GoMap, type ExecLimits } from "../../lang/template/index.ts";
import { readDocuments } from "../../lang/yaml/index.ts";
import { sortRendering, helmFunctions, renderFiles, type RenderedFiles, type Rendering } from "../render/index.ts";
import { chartFileFindings } from "./chart-file-findings.ts";
import { finding, type ChartFinding } from "./finding.ts";
import { templateFindings } from "./template-findings.ts";

export type { ChartFinding } from "./finding.ts";

type LintOptions = {
  readonly namespace: string;
  readonly environment: Environment;
  readonly limits: ExecLimits;
  readonly helm?: 3 | 4;
  readonly skipSchema?: boolean;
  /** The schemas that others refer to over HTTP. Default: such references are refused. */
  readonly remoteSchemas?: RemoteSchemas;
};

/** The findings about a chart, and its rendering if it can be rendered. */
type ChartLint = { readonly findings: readonly ChartFinding[]; readonly rendering?: Rendering };

/** Lints a chart with the user's values. A failing `required` is a finding and not an error. */
export function lintChart(chart: Chart, values: GoMap, options: LintOptions): ChartLint {
  const demands: string[] = [];
  const engine = new Engine(helmFunctions(options.environment, { onRequired: (message) => void demands.push(message) }));
  const release = { name: "test-release", namespace: options.namespace };
  const rendered = orFinding("templates/", () => renderFiles(chart, values, { ...options, engine, release }));
  const found = [
    ...chartFileFindings(chart),
    ...finding("info", "values.yaml", hasFile(chart, "values.yaml") ? undefined : "file does not exist"),
    ...finding("warning", "templates/", chart.templates.length > 0 ? undefined : "directory does not exist"),
    ...dependencyFindings(chart),
    ...crdFindings(chart),
    ...demands.map((message): ChartFinding => ({ severity: "info", at: "templates/", message: `demanded of values: ${message}` })),
  ];
  if ("severity" in rendered) return { findings: [...found, rendered] };
  return withRendering(chart, rendered, found, options.helm);
}

function withRendering(chart: Chart, rendered: RenderedFiles, found: readonly ChartFinding[], helm: 3 | 4 | undefined): ChartLint {
  const findings = [...found, ...templateFindings(chart, rendered.files)];
  const rendering = orFinding("templates/", () => sortRendering(rendered, helm));
  if (!("severity" in rendering)) return { findings, rendering };
  // A template that cannot be parsed is reported already, unless it belongs to a subchart.
  return { findings: findings.some(({ severity }) => severity === "error") ? findings : [...findings, rendering] };
}

function orFinding<Result>(at: string, work: () => Result): Result | ChartFinding {
  try {
    return work();
  } catch (error) {
    if (error instanceof Fault) return { severity: "error", at, message: error.message };
    throw error;
  }
}

function hasFile({ raw }: Chart, name: string): boolean {
  return raw.some((file) => file.name === name);
}

/** Models helm pkg/chart/v2/lint/rules/dependencies.go */
function dependencyFindings(chart: Chart): readonly ChartFinding[] {
  const asked = new Set((chart.metadata.dependencies ?? []).map(({ name }) => name));
  const unasked = chart.dependencies.map(({ metadata }) => metadata.name).filter((name) => !asked.has(name));
  const missing = missingDependencies(chart);
  return [
    ...finding(
      "error",
      "Chart.yaml",
      unasked.length === 0 ? undefined : `chart metadata is missing these dependencies: ${unasked.join(",")}`,
    ),
    ...finding(
      "warning",
      "charts/",
      missing.length === 0 ? undefined : `chart directory is missing these dependencies: ${missing.join(",")}`,
    ),
  ];
}

/** Models helm pkg/chart/v2/lint/rules/crds.go */
function crdFindings(chart: Chart): readonly ChartFinding[] {
  return crdFiles(chart).flatMap(({ name, data }) => {
    const { documents, problems } = readDocuments(fromBytes(data), name, { duplicateKeys: "last wins" });
    return [
      ...problems.map(({ at, message }): ChartFinding => ({ severity: "error", at, message: `unable to parse YAML: ${message}` })),
      ...documents.flatMap(({ value }) => (isFields(value) ? kindFindings(name, value) : [])),
    ];
  });
}

function kindFindings(name: string, object: unknown): readonly ChartFinding[] {
  const isExtension = stringAt(object, "apiVersion", "").startsWith("apiextensions.k8s.io");
  const isDefinition = stringAt(object, "kind") === "CustomResourceDefinition";
  return [
    ...finding("error", name, isExtension ? undefined : "apiVersion is not in 'apiextensions.k8s.io'"),
    ...finding("error", name, isDefinition ? undefined : "object kind is not 'CustomResourceDefinition'"),
  ];
}
