import { join } from "node:path";
import { RealClock } from "../../core/clock/index.ts";
import type { TemplateFlags } from "../command-group/template.ts";
import { contextNamespace } from "../context-namespace.ts";
import { nameAndChart } from "../helm/name-and-chart.ts";
import { updateMissingDependencies } from "../helm/update-missing-dependencies.ts";
import type { Terminal } from "../terminal.ts";
import { render } from "./render.ts";

/** Prints the manifests of a chart: `[NAME] CHART`, as `helm template` takes them. */
export async function template(
  first: string | undefined,
  second: string | undefined,
  options: TemplateFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { name, chart } = nameAndChart(first, second, options, new RealClock(), "release-name");
  await updateMissingDependencies(chart, options, terminal, signal);
  const { outputDir, releaseName } = options;
  const folder = outputDir === undefined ? {} : { outputDir: releaseName ? join(outputDir, name) : outputDir };
  const namespace = await contextNamespace(options);
  return render(chart, { ...options, ...folder, release: name, namespace, notes: false }, terminal, signal);
}
