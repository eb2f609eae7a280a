import { basename, join, resolve } from "node:path";
import type { ChartPathOptions } from "../../repository/index.ts";
import { UsageFault } from "../failure.ts";
import { statSource } from "./stat-source.ts";

/** The folder in which werf looks for the chart of a project. */
export const werfFolder = ".helm";

/**
 * Tells a chart from manifests. A chart is a folder with a `Chart.yaml` or called `.helm`, an archive by path or URL,
 * `oci://…`, or `repository/name` where no such path exists.
 */
function isChartSource(source: string, { repo }: Pick<ChartPathOptions, "repo"> = {}): boolean {
  if (repo !== undefined || source.startsWith("oci://")) return true;
  if (/^https?:\/\//i.test(source)) return new URL(source).pathname.endsWith(".tgz");
  const found = statSource(source);
  if (found === undefined) return /^[\w.-]+\/[\w.-]+$/.test(source) && !/\.(ya?ml|json)$/.test(source) && !source.startsWith(".");
  if (!found.isDirectory()) return /\.(tgz|tar\.gz)$/.test(source);
  return isFile(join(source, "Chart.yaml")) || basename(resolve(source)) === werfFolder;
}

/** The chart among the sources of a command, or undefined when they are manifests. A chart must be the only source. */
export function findChartSource(sources: readonly string[], choice: Pick<ChartPathOptions, "repo" | "verify">): string | undefined {
  const chart = sources.find((source) => source !== "-" && isChartSource(source, choice));
  if (chart !== undefined && sources.length > 1)
    throw new UsageFault(`${chart} is a chart, and a chart is a source by itself: leave the others out`, undefined, { final: true });
  if (chart === undefined && choice.verify === true)
    throw new UsageFault("--verify is for charts: manifests have no provenance file", undefined, { final: true });
  return chart;
}

function isFile(path: string): boolean {
  return statSource(path)?.isFile() ?? false;
}
