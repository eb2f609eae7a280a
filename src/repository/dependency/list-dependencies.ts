import { basename, extname, join } from "node:path";
import type { Chart, Dependency } from "../../chart/index.ts";
import { parseStrictVersion } from "../../lang/semver/index.ts";
import { quote } from "../../lang/template/index.ts";
import { satisfiesConstraint } from "../choose-version.ts";
import { chartsIn } from "../store/charts-folder.ts";
import { pathTypeOf } from "../store/file.ts";
import { constraintOf } from "../choose-version.ts";

/** The status of each dependency of a chart, and warnings about unlisted charts in `charts/`. */
type DependencyList = {
  readonly dependencies: readonly {
    readonly name: string;
    readonly version: string;
    readonly repository: string;
    readonly status: string;
  }[];
  readonly warnings: readonly string[];
};

type Load = (path: string) => Chart;

/** Models helm pkg/action/dependency.go */
export function listDependencies(path: string, load: Load): DependencyList {
  const chart = load(path);
  const requested = chart.metadata.dependencies;
  if (requested === undefined) return { dependencies: [], warnings: [`no dependencies at ${join(path, "charts")}`] };
  const files = chartsIn(path);
  return {
    dependencies: requested.map((dependency) => {
      const { name, version, repository } = dependency;
      return { name, version, repository, status: statusOf(dependency, chart, files, load) };
    }),
    warnings: files.flatMap((file) => warningAbout(file, requested, load)),
  };
}

function statusOf(dependency: Dependency, parent: Chart, files: readonly string[], load: Load): string {
  const archives = archivesOf(dependency.name, files);
  if (archives.length > 1) return "too many matches";
  if (archives.length === 1) return archiveStatus(archives[0]!, dependency, load);
  const found = parent.dependencies.findLast(({ metadata }) => metadata.name === dependency.name);
  return found === undefined ? "missing" : (versionTrouble(found, dependency) ?? "unpacked");
}

/** The archives of a dependency. Of several files with its name as prefix, only those followed by a version count. */
function archivesOf(name: string, files: readonly string[]): readonly string[] {
  const all = files.filter((file) => basename(file).startsWith(`${name}-`) && file.endsWith(".tgz"));
  return all.length < 2 ? all : all.filter((file) => isVersion(basename(file, ".tgz").slice(name.length + 1)));
}

function archiveStatus(file: string, dependency: Dependency, load: Load): string {
  const chart = loaded(file, load);
  if (chart === undefined) return "corrupt";
  if (chart.metadata.name !== dependency.name) return "misnamed";
  return versionTrouble(chart, dependency) ?? "ok";
}

function versionTrouble({ metadata }: Chart, { version }: Dependency): string | undefined {
  if (metadata.version === version) return undefined;
  try {
    return satisfiesConstraint(metadata.version, constraintOf(version)) ? undefined : "wrong version";
  } catch {
    return "invalid version";
  }
}

function warningAbout(file: string, requested: readonly Dependency[], load: Load): readonly string[] {
  if (pathTypeOf(file) !== "folder" && extname(file) !== ".tgz") return [];
  const chart = loaded(file, load);
  if (chart === undefined) return [`${quote(file)} is not a chart.`];
  return requested.some(({ name }) => name === chart.metadata.name) ? [] : [`${quote(file)} is not in Chart.yaml.`];
}

function loaded(file: string, load: Load): Chart | undefined {
  try {
    return load(file);
  } catch {
    return undefined;
  }
}

function isVersion(text: string): boolean {
  try {
    parseStrictVersion(text);
    return true;
  } catch {
    return false;
  }
}
