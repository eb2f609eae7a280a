import { normalize } from "node:path";
import { loadChartAt } from "../../release/load/index.ts";
import { buildDependencies, listDependencies, updateDependencies } from "../../repository/index.ts";
import { table } from "../../view/index.ts";
import { checkAccessFlags, repositoryEnvironment } from "../chart/repository-access.ts";
import { formatOutput } from "../format-output.ts";
import { exitCodes } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import type { DependencyFlags } from "../command-group/chart.ts";

/** Downloads the dependencies of a chart into `charts/`. */
export async function fetchDependencies(
  how: "build" | "update",
  chart: string,
  options: DependencyFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { skipRefresh, timeout: _timeout, verify, keyring, ...access } = options;
  checkAccessFlags(access);
  const environment = repositoryEnvironment(options, terminal, signal);
  const load = (path: string) => loadChartAt(path, environment.warn);
  // As with Helm, which takes unsigned charts for a build.
  const manner = how === "build" ? ("if possible" as const) : ("always" as const);
  const verification = { verify: verify ? manner : undefined, keyring };
  const work = { folder: normalize(chart), skipRefresh, access, load, report: terminal.out, environment, ...verification };
  await (how === "build" ? buildDependencies(work) : updateDependencies(work));
  return exitCodes.ok;
}

/** Lists the dependencies of a chart with their status. */
export async function showDependencies(
  chart: string,
  { output }: { readonly output: "table" | "json" | "yaml" },
  { out, err, paint }: Terminal,
): Promise<number> {
  const { dependencies, warnings } = listDependencies(normalize(chart), (path) => loadChartAt(path));
  if (output !== "table") out(formatOutput(dependencies, output));
  else if (dependencies.length > 0) {
    const rows = dependencies.map(({ name, version, repository, status }) => [name, version, repository, status]);
    for (const line of table(["NAME", "VERSION", "REPOSITORY", "STATUS"], rows)) out(line);
  }
  for (const warning of warnings) err(`${paint.warn("warning")}: ${warning}`);
  return exitCodes.ok;
}
