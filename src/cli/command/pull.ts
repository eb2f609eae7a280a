import { isAbsolute, join } from "node:path";
import { fetchChart, saveArchive, saveUnpacked, type ChartChoice } from "../../repository/index.ts";
import { checkAccess, outsideFor, type FetchOptions } from "../chart-source.ts";
import { exitCodes } from "../failure.ts";
import type { Terminal } from "../terminal.ts";

export type PullCommand = ChartChoice & FetchOptions & { readonly destination: string; readonly untar: boolean; readonly untardir: string };

/** Fetches a chart and puts it into a folder, packed or not; says where it is. */
export async function pull(chart: string, options: PullCommand, terminal: Terminal, signal: AbortSignal): Promise<number> {
  checkAccess(options);
  const { destination, untar, untardir } = options;
  const { name, bytes } = await fetchChart(chart.trim(), options, outsideFor(options, terminal, signal));
  const folder = isAbsolute(untardir) ? untardir : join(destination, untardir);
  terminal.out(untar ? saveUnpacked(folder, bytes) : saveArchive(destination, name, bytes));
  return exitCodes.ok;
}
