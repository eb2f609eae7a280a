import { statSync } from "node:fs";
import { Fault } from "../../core/fault/index.ts";
import { chartRequestOf } from "../chart/chart-request.ts";
import { werfFolder } from "../chart/find-chart-source.ts";
import type { Terminal } from "../terminal.ts";
import { deployChart } from "./deploy-chart.ts";
import type { ConvergeFlags } from "../command-group/release.ts";

/** Deploys the chart in `.helm` of the current folder, as `werf converge` does. */
export async function converge(options: ConvergeFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  if (statSync(werfFolder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Fault(`there is no folder ${werfFolder} here`, "go to where it is, or deploy a chart with sluice deploy RELEASE CHART", {
      final: true,
    });
  // As in werf, values of earlier revisions are not reused.
  const chartRequest = await chartRequestOf(werfFolder, options, "reset", terminal, signal);
  return deployChart(options.release ?? chartRequest.chart.metadata.name, chartRequest, options, terminal, signal);
}
