import { BadInput, inFileOrder, lineFor, type Problem } from "../../core/fault/index.ts";
import { tryPrepare } from "../../release/prepare/index.ts";
import { lintChart, type ChartFinding } from "../../release/lint/index.ts";
import { load } from "../../release/load/index.ts";
import { order } from "../../release/order/index.ts";
import { readRenderedManifests, resolveSchemas } from "../../release/render/index.ts";
import type { LoadedManifests } from "../../lang/yaml/index.ts";
import { chartRequestOf } from "../chart/chart-request.ts";
import { findChartSource } from "../chart/find-chart-source.ts";
import { exitCodes } from "../failure.ts";
import { fleetFindings } from "../fleet/fleet-findings.ts";
import { endedBySignals } from "../interrupt.ts";
import { withCluster } from "../with-cluster.ts";
import { sourceReaders } from "../source-readers.ts";
import type { Terminal } from "../terminal.ts";
import type { LintFlags } from "../command-group/manifest.ts";

type Findings = {
  readonly objects: number;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** Recommendations about a chart. */
  readonly hints: readonly Problem[];
};

/**
 * Prints problems in the order that the sources ask for, and in a chart. Asks a cluster only when the flags name one. Exit
 * code 1 when there is a problem, or a warning with `--strict`.
 */
export async function lint(sources: readonly string[], options: LintFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const findings = await findingsIn(sources, options, terminal, signal);
  if (options.output === "json") terminal.out(JSON.stringify(findings, undefined, 2));
  else if (!options.quiet || findings.problems.length + findings.warnings.length > 0)
    show(options.quiet ? { ...findings, hints: [] } : findings, terminal);
  const failures = findings.problems.length + (options.strict ? findings.warnings.length : 0);
  return failures > 0 ? exitCodes.failed : exitCodes.ok;
}

/** Manifests that cannot be parsed are findings, not faults. */
async function findingsIn(sources: readonly string[], options: LintFlags, terminal: Terminal, signal: AbortSignal): Promise<Findings> {
  try {
    const chart = findChartSource(sources, options);
    if (chart !== undefined) return await findingsInChart(chart, options, terminal, signal);
    const loaded = await load(sources, sourceReaders, { signal });
    return { hints: [], ...(await problemsIn(loaded, options, terminal, signal)) };
  } catch (error) {
    if (error instanceof BadInput) return { objects: 0, problems: error.problems, warnings: [], hints: [] };
    throw error;
  }
}

/** Reports what `helm lint` reports, then the problems in the order of the rendered manifests. */
async function findingsInChart(source: string, options: LintFlags, terminal: Terminal, signal: AbortSignal): Promise<Findings> {
  const chartRequest = await chartRequestOf(source, options, "reset", terminal, signal);
  const { chart, values, environment, limits, helm = 4 } = chartRequest;
  const { namespace = "default", skipSchemaValidation: skipSchema } = options;
  const { findings, rendering } = await resolveSchemas(chartRequest.loadSchema, (schemas) =>
    endedBySignals(() => lintChart(chart, values, { namespace, environment, limits, helm, skipSchema, ...schemas })),
  );
  const of = (severity: ChartFinding["severity"]) => findings.filter((each) => each.severity === severity).map(problemOf);
  const fromChart = { problems: of("error"), warnings: of("warning"), hints: of("info") };
  if (rendering === undefined) return { objects: 0, ...fromChart };
  const { crds, manifests, invalid } = readRenderedManifests(rendering);
  const { objects, problems, warnings } = await problemsIn({ manifests: [...crds, ...manifests], invalid }, options, terminal, signal);
  return {
    objects,
    problems: [...fromChart.problems, ...problems],
    warnings: [...fromChart.warnings, ...rendering.leftOut, ...warnings],
    hints: fromChart.hints,
  };
}

function problemOf({ at, message }: ChartFinding): Problem {
  return { at, message };
}

async function problemsIn(
  { manifests, invalid }: LoadedManifests,
  options: LintFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Omit<Findings, "hints">> {
  const { context, kubeconfig, namespace } = options;
  const { problems: wrong = [], repaired = [], isPartial = false } = invalid ?? {};
  const objects = manifests.length + repaired.length;
  const fleet = await fleetFindings([...manifests, ...repaired]);
  if (context === undefined && kubeconfig === undefined) {
    const { problems, warnings } = order([...manifests, ...repaired], { namespace: namespace ?? "default", isPartial });
    return {
      objects,
      problems: inFileOrder([...wrong, ...problems, ...fleet.problems]),
      warnings: inFileOrder([...warnings, ...fleet.warnings]),
    };
  }
  const where = { ...(context === undefined ? {} : { context }), ...(kubeconfig === undefined ? {} : { kubeconfig }) };
  const session = namespace === undefined ? where : { ...where, namespace };
  const { problems, warnings } = await withCluster(session, terminal, ({ cluster }) => tryPrepare(manifests, cluster, { signal, invalid }));
  return { objects, problems: [...problems, ...fleet.problems], warnings: [...warnings, ...fleet.warnings] };
}

function show({ objects, problems, warnings, hints }: Findings, { out, paint }: Terminal): void {
  for (const problem of problems) out(`${paint.bad("error")}: ${lineFor(problem)}`);
  for (const warning of warnings) out(`${paint.warn("warning")}: ${lineFor(warning)}`);
  for (const hint of hints) out(`${paint.dim("info")}: ${lineFor(hint)}`);
  if (problems.length + warnings.length === 0) return out(`${counted(objects, "object")}, nothing to complain of`);
  out(`${counted(problems.length, "error")}, ${counted(warnings.length, "warning")}`);
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
