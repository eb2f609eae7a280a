import { Fault } from "../../core/fault/index.ts";
import { compareSemver } from "../../lang/semver/index.ts";
import { versionOf, type ChartVersion } from "../index-file.ts";
import { constraintOf, satisfiesConstraint } from "../choose-version.ts";
import { fetchIndexedChart, verifyDownload, type Download } from "../locate-chart.ts";
import { fetchOciChart } from "../oci/fetch-oci-chart.ts";
import { packageChart, packageFileName } from "../package-chart.ts";
import type { Repository } from "../repositories-file.ts";
import { ChartsFolder } from "../store/charts-folder.ts";
import { cachedIndex } from "../store/index-cache.ts";
import type { DependencySource } from "./dependency-source.ts";
import type { LockedDependency } from "./lock.ts";
import type { DependencyContext } from "./dependency-context.ts";

type DependencyDownload = { readonly locked: LockedDependency; readonly source: DependencySource };

/**
 * Downloads all dependencies into `charts/`, or leaves it unchanged. `then` runs when they are in place. Models helm
 * pkg/downloader downloadAll
 */
export async function downloadDependencies(
  downloads: readonly DependencyDownload[],
  context: DependencyContext,
  then: (folder: ChartsFolder) => void = () => undefined,
): Promise<void> {
  const { report } = context;
  const folder = new ChartsFolder(context.folder);
  try {
    report(`Saving ${downloads.length} charts`);
    const fetched = new Set<string>();
    for (const download of downloads) await downloadOne(download, folder, fetched, context);
    folder.install();
    report("Deleting outdated charts");
    const unpackedNames = new Set(downloads.filter(({ source }) => source.kind === "own").map(({ locked }) => locked.name));
    folder.removeOutdated(unpackedNames, report);
    then(folder);
  } finally {
    folder.cleanUp();
  }
}

async function downloadOne(
  { locked, source }: DependencyDownload,
  folder: ChartsFolder,
  fetched: Set<string>,
  context: DependencyContext,
): Promise<void> {
  const { name, version, repository } = locked;
  if (source.kind === "own") return checkOwn(locked, folder, context);
  if (source.kind === "folder") {
    const chart = context.load(source.path);
    if (!satisfiesConstraint(chart.metadata.version, constraintOf(version)))
      throw refusal(`can't get a valid version for dependency ${name}`);
    return folder.stage(packageFileName(chart), packageChart(chart));
  }
  const key = `${repository} ${name} ${version}`;
  if (fetched.has(key)) return context.report(`Already downloaded ${name} from repo ${repository}`);
  fetched.add(key);
  context.report(`Downloading ${name} from repo ${repository}`);
  const chart = await fetchDependency(locked, source, context);
  await verifyDependency(chart, context);
  try {
    folder.stage(chart.name, chart.bytes);
  } catch (error) {
    throw new Fault(`could not download ${name} from repo ${repository}`, error, { final: true });
  }
}

/** Helm moves only what it can load as a chart into `charts/`, so that no provenance file is left there. */
async function verifyDependency(chart: Download, { verify, keyring, environment }: DependencyContext): Promise<void> {
  if (verify === undefined) return;
  let text: string;
  try {
    text = await chart.provenance();
  } catch (error) {
    if (verify === "always" || environment.signal.aborted) throw error;
    environment.warn(`${chart.name} is not verified: ${error instanceof Error ? error.message : String(error)}`);
    return;
  }
  await verifyDownload({ ...chart, provenance: () => Promise.resolve(text) }, keyring === undefined ? {} : { keyring }, environment);
}

async function fetchDependency(
  { name, version, repository }: LockedDependency,
  source: Extract<DependencySource, { kind: "registry" | "repository" }>,
  context: DependencyContext,
): Promise<Download> {
  try {
    if (source.kind === "registry")
      return await fetchOciChart(`${repository.replace(/\/$/, "")}/${name}`, version, context.access, context.environment);
    const chart = lockedChart(name, version, source.repository, context);
    return await fetchIndexedChart(chart, `chart ${name}`, source.repository, context.environment);
  } catch (error) {
    throw context.environment.signal.aborted ? error : new Fault(`could not download ${name} from repo ${repository}`, error);
  }
}

/** Models helm pkg/downloader findVersionedEntry */
function lockedChart(name: string, version: string, repository: Repository, { environment }: DependencyContext): ChartVersion {
  const charts = cachedIndex(repository.name, environment).get(name);
  if (charts === undefined) throw refusal("entry not found");
  const found = charts.find((chart) => chart.urls.length > 0 && sameVersion(chart.version, version));
  if (found === undefined) throw refusal(`no matching version: ${version} is not in the index`);
  return found;
}

function sameVersion(one: string, other: string): boolean {
  const [left, right] = [versionOf(one), versionOf(other)];
  if (left === undefined || right === undefined) return one === other;
  return compareSemver(left, right) === 0;
}

function checkOwn({ name, version }: LockedDependency, folder: ChartsFolder, { load, report }: DependencyContext): void {
  report(`Dependency ${name} did not declare a repository. Assuming it exists in the charts directory`);
  const path = folder.unpacked(name);
  let found: string;
  try {
    found = load(path).metadata.version;
  } catch (error) {
    throw refusal(`unable to load chart '${path}': ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!satisfiesConstraint(found, constraintOf(version)))
    throw refusal(`dependency ${name} at version ${found} does not satisfy the constraint ${version}`);
}

function refusal(because: string): Fault {
  return new Fault(because, undefined, { final: true });
}
