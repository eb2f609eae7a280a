import { showChart, type ShowOutputFormat } from "../../repository/index.ts";
import type { ShowChartFlags } from "../command-group/chart.ts";
import { checkAccessFlags, loadChartByReference, repositoryEnvironment } from "../chart/repository-access.ts";
import { exitCodes } from "../failure.ts";
import type { Terminal } from "../terminal.ts";

/** Prints parts of a chart, as `helm show` does. */
export async function show(
  what: ShowOutputFormat,
  chart: string,
  options: ShowChartFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  checkAccessFlags(options);
  const shown = showChart(await loadChartByReference(chart, options, repositoryEnvironment(options, terminal, signal)), what);
  // The terminal ends the last line.
  if (shown !== "") terminal.out(shown.replace(/\n$/, ""));
  return exitCodes.ok;
}
