import { isAbsolute, join } from "node:path";
import { fetchChart, saveArchive, saveUnpacked } from "../../repository/index.ts";
import { checkAccessFlags, repositoryEnvironment } from "../chart/repository-access.ts";
import { verificationLines } from "../chart/verification-lines.ts";
import { exitCodes } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import type { PullFlags } from "../command-group/chart.ts";

/** Downloads a chart into a folder, packed or unpacked, and prints its path. */
export async function pull(chart: string, options: PullFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  checkAccessFlags(options);
  const { destination, untar, untardir } = options;
  const { name, bytes, verified } = await fetchChart(chart.trim(), options, repositoryEnvironment(options, terminal, signal));
  const folder = isAbsolute(untardir) ? untardir : join(destination, untardir);
  terminal.out(untar ? saveUnpacked(folder, bytes) : saveArchive(destination, name, bytes));
  if (verified !== undefined) {
    if (!untar) terminal.out(saveArchive(destination, `${name}.prov`, Buffer.from(verified.provenance)));
    for (const line of verificationLines(verified)) terminal.out(line);
  }
  return exitCodes.ok;
}
