import { join } from "node:path";
import type { Dependency } from "../../chart/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { parseConstraint, type Constraint } from "../../lang/semver/index.ts";
import { quote } from "../../lang/template/index.ts";
import { versionOf } from "../chart-index.ts";
import { fits } from "../choose.ts";
import { ociVersions } from "../oci/fetch.ts";
import { cachedIndex } from "../store/index-cache.ts";
import { localPath, type Housed } from "./home.ts";
import type { Locked } from "./lock.ts";
import type { Work } from "./work.ts";

/** Settles which version of each dependency is taken. Models helm internal/resolver Resolve */
export async function resolve(all: readonly Housed[], work: Work): Promise<readonly Locked[]> {
  const locked: Locked[] = [];
  const missing: string[] = [];
  for (const each of all) {
    const { name, version, repository } = each.dependency;
    const settled = await settle(each, work);
    if (settled === undefined) missing.push(`${quote(name)} (repository ${quote(repository)}, version ${quote(version)})`);
    else locked.push({ name, version: settled, repository });
  }
  if (missing.length === 0) return locked;
  const advice = "Make sure a matching chart version exists in the repo, or change the version constraint in Chart.yaml";
  throw refusal(`can't get a valid version for ${missing.length} subchart(s): ${missing.join(", ")}. ${advice}`);
}

async function settle({ dependency, home }: Housed, work: Work): Promise<string | undefined> {
  const { name, version, repository } = dependency;
  const constraint = constraintIn(dependency);
  switch (home.kind) {
    case "own":
      localPath(join("charts", name), work.folder);
      return version;
    case "folder": {
      const found = work.load(home.path).metadata.version;
      return fits(found, constraint) ? found : undefined;
    }
    case "registry": {
      if (versionOf(version) !== undefined) return version;
      return (await tagsOf(repository, name, work)).find((each) => fits(each, constraint));
    }
    case "repository": {
      const charts = indexOf(home.repository.name, work).get(name);
      if (charts === undefined) throw refusal(`${name} chart not found in repo ${repository}`);
      return charts.find((chart) => chart.urls.length > 0 && fits(chart.version, constraint))?.version;
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

async function tagsOf(repository: string, name: string, { access, outside }: Work): Promise<readonly string[]> {
  try {
    return await ociVersions(`${repository.replace(/\/$/, "")}/${name}`, access, outside);
  } catch (error) {
    throw outside.signal.aborted ? error : new Fault(`could not retrieve list of tags for repository ${repository}`, error);
  }
}

function indexOf(repository: string, { outside }: Work) {
  try {
    return cachedIndex(repository, outside);
  } catch (error) {
    throw new Fault(`no cached repository for ${repository} found. (try 'sluice repo update')`, error, { final: true });
  }
}

function refusal(because: string): Fault {
  return new Fault(because, undefined, { final: true });
}
