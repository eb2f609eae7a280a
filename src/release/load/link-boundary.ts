import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { Fault } from "../../core/fault/index.ts";

/** What the system keeps about itself and its devices: never part of a chart, whatever surrounds it. */
const systemFolders = ["/proc", "/sys", "/dev"];

/**
 * The folders that links of a chart may lead to: the chart, the repository around it, and the working folder if the chart is in it.
 * See ADR 28.
 */
export class LinkBoundary {
  readonly #folders: readonly string[];

  constructor(chart: string) {
    const top = realpathSync(chart);
    const working = realpathSync(resolve());
    this.#folders = [top, ...repositoriesAround(top), ...(isInside(top, working) && dirname(working) !== working ? [working] : [])];
  }

  /** Refuses a link of the chart that leads elsewhere. */
  check(link: string): void {
    const target = realpathSync(link);
    const isSystem = systemFolders.some((folder) => isInside(target, folder));
    if (!isSystem && this.#folders.some((folder) => isInside(target, folder))) return;
    const outside = isSystem ? "where the system keeps its own files" : `which is outside of ${this.#folders.toReversed().join(", ")}`;
    const advice = "A chart reads its own files only: copy the file into the chart, or list the link in .helmignore";
    throw new Fault(`chart file ${link} is a link to ${target}, ${outside}. ${advice}`, undefined, { final: true });
  }
}

/** The nearest folder above that is the root of a Git repository or worktree. */
function repositoriesAround(chart: string): readonly string[] {
  for (let folder = chart; dirname(folder) !== folder; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder === chart ? [] : [folder];
  }
  return [];
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}
