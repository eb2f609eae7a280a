import { basename, dirname, resolve } from "node:path";
import { loadChart, type Chart } from "../../chart/index.ts";
import { loadChartAt, readChartFolder } from "../../release/load/index.ts";
import type { ChartPathOptions } from "../../repository/index.ts";
import type { Terminal } from "../terminal.ts";
import { werfFolder } from "./find-chart-source.ts";
import { statSource } from "./stat-source.ts";
import { withChartFile, werfWarnings } from "./werf-chart.ts";

/** Loads the chart that a source names: a path, a URL, or a reference to a repository or registry. */
export async function loadChartSource(source: string, choice: ChartPathOptions, terminal: Terminal, signal: AbortSignal): Promise<Chart> {
  const warn = (line: string) => terminal.err(`${terminal.paint.warn("warning")}: ${line}`);
  const folder = resolve(source);
  const found = choice.repo === undefined && choice.verify !== true ? statSource(source) : undefined;
  if (found === undefined) {
    // The HTTP client is large, so it is loaded only for charts that are not local, or have a signature to verify.
    const { checkAccessFlags, loadChartByReference, repositoryEnvironment } = await import("./repository-access.ts");
    checkAccessFlags(choice);
    return loadChartByReference(source, choice, repositoryEnvironment({}, terminal, signal));
  }
  if (!found.isDirectory() || basename(folder) !== werfFolder) return loadChartAt(source, warn);
  for (const words of werfWarnings(folder)) warn(words);
  return loadChart(withChartFile(readChartFolder(folder), basename(dirname(folder))), warn);
}
