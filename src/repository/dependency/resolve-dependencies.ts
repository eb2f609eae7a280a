import { join } from "node:path";
import type { Dependency } from "../../chart/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { parseConstraint, type Constraint } from "../../lang/semver/index.ts";
import { quote } from "../../lang/template/index.ts";
import { versionOf } from "../index-file.ts";
import { satisfiesConstraint } from "../choose-version.ts";
import { ociVersions } from "../oci/fetch-oci-chart.ts";
import { cachedIndex } from "../store/index-cache.ts";
import { localPath, type SourcedDependency } from "./dependency-source.ts";
import type { LockedDependency } from "./lock.ts";
import type { DependencyContext } from "./dependency-context.ts";

/** Resolves the version of each dependency. Models helm internal/resolver Resolve */
export async function resolveDependencies(
  all: readonly SourcedDependency[],
  context: DependencyContext,
): Promise<readonly LockedDependency[]> {
  const locked: LockedDependency[] = [];
  const missing: string[] = [];
  for (const each of all) {
    const { name, version, repository } = each.dependency;
    const settled = await resolveVersion(each, context);
    if (settled === undefined) missing.push(`${quote(name)} (repository ${quote(repository)}, version ${quote(version)})`);
    else locked.push({ name, version: settled, repository });
  }
  if (missing.length === 0) return locked;
  const advice = "Make sure a matching chart version exists in the repo, or change the version constraint in Chart.yaml";
  throw refusal(`can't get a valid version for ${missing.length} subchart(s): ${missing.join(", ")}. ${advice}`);
}

async function resolveVersion({ dependency, source }: SourcedDependency, context: DependencyContext): Promise<string | undefined> {
  const { name, version, repository } = dependency;
  const constraint = constraintIn(dependency);
  switch (source.kind) {
    case "own":
      localPath(join("charts", name), context.folder);
      return version;
    case "folder": {
      const found = context.load(source.path).metadata.version;
      return satisfiesConstraint(found, constraint) ? found : undefined;
    }
    case "registry": {
      if (versionOf(version) !== undefined) return version;
      return (await tagsOf(repository, name, context)).find((each) => satisfiesConstraint(each, constraint));
    }
    case "repository": {
      const charts = indexOf(source.repository.name, context).get(name);
      if (charts === undefined) throw refusal(`${name} chart not found in repo ${repository}`);
      return charts.find((chart) => chart.urls.length > 0 && satisfiesConstraint(chart.version, constraint))?.version;
    }
  }
}

function constraintIn({ name, version }: Dependency): Constraint {
  try {
    return parseConstraint(version);
  } catch (error) {
    throw new Fault(`dependency ${quote(name)} has an invalid version/constraint format`, error, { final: true });
  }
}

async function tagsOf(repository: string, name: string, { access, environment }: DependencyContext): Promise<readonly string[]> {
  try {
    return await ociVersions(`${repository.replace(/\/$/, "")}/${name}`, access, environment);
  } catch (error) {
    throw environment.signal.aborted ? error : new Fault(`could not retrieve list of tags for repository ${repository}`, error);
  }
}

function indexOf(repository: string, { environment }: DependencyContext) {
  try {
    return cachedIndex(repository, environment);
  } catch (error) {
    throw new Fault(`no cached repository for ${repository} found. (try 'sluice repo update')`, error, { final: true });
  }
}

function refusal(because: string): Fault {
  return new Fault(because, undefined, { final: true });
}
