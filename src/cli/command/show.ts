import { showChart, type ChartChoice, type Showing } from "../../repository/index.ts";
import { checkAccess, loadChartFrom, outsideFor, type FetchOptions } from "../chart-source.ts";
import { exitCodes } from "../failure.ts";
import type { Terminal } from "../terminal.ts";

/** Shows what a chart says of itself, as `helm show` does. */
export async function show(
  what: Showing,
  chart: string,
  options: ChartChoice & FetchOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  checkAccess(options);
  const shown = showChart(await loadChartFrom(chart, options, outsideFor(options, terminal, signal)), what);
  // The last line's end is the terminal's.
  if (shown !== "") terminal.out(shown.replace(/\n$/, ""));
  return exitCodes.ok;
}
