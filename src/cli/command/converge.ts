import { statSync } from "node:fs";
import { Fault } from "../../core/fault/index.ts";
import { orderOf, type ChartFlags } from "../chart/order.ts";
import { werfFolder } from "../chart/recognition.ts";
import type { DeployCommand } from "../release-command.ts";
import type { Terminal } from "../terminal.ts";
import { deployChart } from "./deploy-chart.ts";

export type ConvergeCommand = DeployCommand & Omit<ChartFlags, "repo"> & { readonly release?: string };

/** Deploys the chart of the project that the current folder is. */
export async function converge(options: ConvergeCommand, terminal: Terminal, signal: AbortSignal): Promise<number> {
  if (statSync(werfFolder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Fault(`there is no folder ${werfFolder} here`, "go to where it is, or deploy a chart with sluice deploy RELEASE CHART", {
      final: true,
    });
  // What was given to a release before does not count: a project says all of it each time.
  const order = await orderOf(werfFolder, options, "reset", terminal, signal);
  return deployChart(options.release ?? order.chart.metadata.name, order, options, terminal, signal);
}
