import { statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { loadChart, type Chart } from "../../chart/index.ts";
import { loadChartAt, readChartFolder } from "../../release/load/index.ts";
import type { ChartChoice } from "../../repository/index.ts";
import type { Terminal } from "../terminal.ts";
import { werfFolder } from "./recognition.ts";
import { withChartFile, wordsAboutWerf } from "./werf.ts";

/** Loads the chart that a source names, from wherever it is. */
export async function loadSource(source: string, choice: ChartChoice, terminal: Terminal, signal: AbortSignal): Promise<Chart> {
  const warn = (line: string) => terminal.err(`${terminal.paint.warn("warning")}: ${line}`);
  const folder = resolve(source);
  const found = choice.repo === undefined ? statSync(source, { throwIfNoEntry: false }) : undefined;
  if (found === undefined) {
    // The web is loaded for those who need it: it is large.
    const { checkAccess, loadChartFrom, outsideFor } = await import("../chart-source.ts");
    checkAccess(choice);
    return loadChartFrom(source, choice, outsideFor({}, terminal, signal));
  }
  if (!found.isDirectory() || basename(folder) !== werfFolder) return loadChartAt(source, warn);
  for (const words of wordsAboutWerf(folder)) warn(words);
  return loadChart(withChartFile(readChartFolder(folder), basename(dirname(folder))), warn);
}
