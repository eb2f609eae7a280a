import { Fault } from "../../core/fault/index.ts";
import { compareVersions } from "../../lang/semver/index.ts";
import { versionOf, type IndexedChart } from "../chart-index.ts";
import { constraintOf, fits } from "../choose.ts";
import { fetchedFrom } from "../locate.ts";
import { fetchOci } from "../oci/fetch.ts";
import { packChart, packedName } from "../pack.ts";
import type { Repository } from "../repositories-file.ts";
import { ChartsFolder } from "../store/charts-folder.ts";
import { cachedIndex } from "../store/index-cache.ts";
import type { Home } from "./home.ts";
import type { Locked } from "./lock.ts";
import type { Work } from "./work.ts";

export type Parcel = { readonly locked: Locked; readonly home: Home };

/** Brings all dependencies into `charts/`, or leaves it as it is. `then` is done when they are there. Models helm pkg/downloader downloadAll */
export async function gather(
  parcels: readonly Parcel[],
  work: Work,
  then: (folder: ChartsFolder) => void = () => undefined,
): Promise<void> {
  const { tell } = work;
  const folder = new ChartsFolder(work.folder);
  try {
    tell(`Saving ${parcels.length} charts`);
    const fetched = new Set<string>();
    for (const parcel of parcels) await bring(parcel, folder, fetched, work);
    folder.install();
    tell("Deleting outdated charts");
    const atHome = new Set(parcels.filter(({ home }) => home.kind === "own").map(({ locked }) => locked.name));
    folder.removeOutdated(atHome, tell);
    then(folder);
  } finally {
    folder.cleanUp();
  }
}

async function bring({ locked, home }: Parcel, folder: ChartsFolder, fetched: Set<string>, work: Work): Promise<void> {
  const { name, version, repository } = locked;
  if (home.kind === "own") return checkOwn(locked, folder, work);
  if (home.kind === "folder") {
    const chart = work.load(home.path);
    if (!fits(chart.metadata.version, constraintOf(version))) throw refusal(`can't get a valid version for dependency ${name}`);
    return folder.gather(packedName(chart), packChart(chart));
  }
  const key = `${repository} ${name} ${version}`;
  if (fetched.has(key)) return work.tell(`Already downloaded ${name} from repo ${repository}`);
  fetched.add(key);
  work.tell(`Downloading ${name} from repo ${repository}`);
  const { name: file, bytes } = await download(locked, home, work);
  try {
    folder.gather(file, bytes);
  } catch (error) {
    throw new Fault(`could not download ${name} from repo ${repository}`, error, { final: true });
  }
}

async function download({ name, version, repository }: Locked, home: Extract<Home, { kind: "registry" | "repository" }>, work: Work) {
  try {
    if (home.kind === "registry") return await fetchOci(`${repository.replace(/\/$/, "")}/${name}`, version, work.access, work.outside);
    const chart = lockedChart(name, version, home.repository, work);
    return await fetchedFrom(chart, `chart ${name}`, home.repository, work.outside);
  } catch (error) {
    throw work.outside.signal.aborted ? error : new Fault(`could not download ${name} from repo ${repository}`, error);
  }
}

/** Models helm pkg/downloader findVersionedEntry */
function lockedChart(name: string, version: string, repository: Repository, { outside }: Work): IndexedChart {
  const charts = cachedIndex(repository.name, outside).get(name);
  if (charts === undefined) throw refusal("entry not found");
  const found = charts.find((chart) => chart.urls.length > 0 && sameVersion(chart.version, version));
  if (found === undefined) throw refusal(`no matching version: ${version} is not in the index`);
  return found;
}

function sameVersion(one: string, other: string): boolean {
  const [left, right] = [versionOf(one), versionOf(other)];
  if (left === undefined || right === undefined) return one === other;
  return compareVersions(left, right) === 0;
}

function checkOwn({ name, version }: Locked, folder: ChartsFolder, { load, tell }: Work): void {
  tell(`Dependency ${name} did not declare a repository. Assuming it exists in the charts directory`);
  const path = folder.unpacked(name);
  let found: string;
  try {
    found = load(path).metadata.version;
  } catch (error) {
    throw refusal(`unable to load chart '${path}': ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!fits(found, constraintOf(version)))
    throw refusal(`dependency ${name} at version ${found} does not satisfy the constraint ${version}`);
}

function refusal(because: string): Fault {
  return new Fault(because, undefined, { final: true });
}
