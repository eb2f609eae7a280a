import type { Chart, Dependency, Lock } from "../../chart/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { quote } from "../../lang/template/index.ts";
import { isOci, sameUrl } from "../url.ts";
import type { Repository } from "../repositories-file.ts";
import { pathTypeOf } from "../store/file.ts";
import { listRepositories, refreshAll, type RepositoryUpdate } from "../store/repositories.ts";
import { downloadDependencies } from "./download-dependencies.ts";
import { findDependencySources, type SourcedDependency } from "./dependency-source.ts";
import { lockDigest, lockText, oldLockDigest, requestedBy, type LockedDependency } from "./lock.ts";
import { resolveDependencies } from "./resolve-dependencies.ts";
import type { DependencyContext } from "./dependency-context.ts";

/** Downloads the best versions of a chart's dependencies into `charts/`, and writes the lock. Models helm pkg/downloader Manager.Update */
export async function updateDependencies(context: DependencyContext): Promise<void> {
  const chart = chartIn(context);
  const requested = requestedBy(chart);
  if (requested === undefined) return;
  const all = findDependencySources(requested, listRepositories(context.environment), context.folder);
  await refreshFor(all, context);
  const locked = await resolveDependencies(all, context);
  const digest = lockDigest(
    all.map(({ dependency }) => dependency),
    locked,
  );
  await downloadDependencies(
    locked.map((each, at) => ({ locked: each, source: all[at]!.source })),
    context,
    (folder) => {
      if (chart.lock?.digest === digest) return;
      folder.writeLock(lockName(chart), lockText(locked, digest, new Date(context.environment.clock.now())));
    },
  );
}

/** Downloads the locked versions into `charts/`. Without a lock it does an update. Models helm pkg/downloader Manager.Build */
export async function buildDependencies(context: DependencyContext): Promise<void> {
  const chart = chartIn(context);
  const { lock } = chart;
  if (lock === undefined) return updateDependencies(context);
  const repositories = listRepositories(context.environment);
  checkLock(chart, lock, repositories, context);
  checkKnown(lock.dependencies, repositories);
  const all = findDependencySources(lock.dependencies, repositories, context.folder);
  await refreshFor(all, context);
  await downloadDependencies(
    all.map(({ dependency, source }) => ({ locked: lockedOf(dependency), source })),
    context,
  );
}

function chartIn({ folder, load }: DependencyContext): Chart {
  const kind = pathTypeOf(folder);
  if (kind === "nothing") throw refusal(`could not find ${folder}: no such file or directory`);
  if (kind === "file") throw refusal("only unpacked charts can be updated");
  return load(folder);
}

/** Refuses a lock that is out of sync with the chart. An apiVersion v1 chart may have a lock of Helm 2. */
function checkLock(
  chart: Chart,
  { digest, dependencies }: Lock,
  repositories: readonly Repository[],
  { folder, environment }: DependencyContext,
): void {
  const requested = requestedBy(chart);
  const resolved =
    requested === undefined ? undefined : findDependencySources(requested, repositories, folder).map(({ dependency }) => dependency);
  if (lockDigest(resolved, dependencies.map(lockedOf)) === digest) return;
  if (chart.metadata.apiVersion !== "v1")
    throw refusal(
      "the lock file (Chart.lock) is out of sync with the dependencies file (Chart.yaml). Please update the dependencies with 'sluice dependency update'",
    );
  environment.warn("a valid Helm v3 hash was not found. Checking against Helm v2 hash...");
  if (oldLockDigest(requested) === digest) return;
  throw refusal(
    "the lock file (requirements.lock) is out of sync with the dependencies file (requirements.yaml). Please update the dependencies",
  );
}

/** A build only uses repositories that were added by name. Models helm pkg/downloader hasAllRepos */
function checkKnown(dependencies: readonly Dependency[], repositories: readonly Repository[]): void {
  const missing = dependencies
    .map(({ repository }) => repository)
    .filter((address) => address !== "" && !address.startsWith("file://") && !isOci(address))
    .filter((address) => !repositories.some(({ url }) => sameUrl(url, address)));
  if (missing.length === 0) return;
  throw refusal(`no repository definition for ${missing.join(", ")}. Please add the missing repos via 'sluice repo add'`);
}

/** Refreshes the indexes of the repositories. A failure is reported, and the cached index is used. */
async function refreshFor(
  all: readonly SourcedDependency[],
  { skipRefresh = false, report, environment }: DependencyContext,
): Promise<void> {
  if (skipRefresh) return;
  const needed = new Map<string, Repository>();
  for (const { source } of all) if (source.kind === "repository") needed.set(source.repository.name, source.repository);
  if (needed.size === 0) return;
  report("Hang tight while we grab the latest from your chart repositories...");
  await refreshAll([...needed.values()], (updated) => report(updateText(updated)), environment);
}

/** The message for a repository's update. Repositories without a name are named by their URL. */
export function updateText({ repository: { name, url }, error }: RepositoryUpdate): string {
  const called = name.startsWith("helm-manager-") ? url : name;
  if (error === undefined) return `...Successfully got an update from the ${quote(called)} chart repository`;
  const where = called === url ? "" : ` (${url})`;
  return `...Unable to get an update from the ${quote(called)} chart repository${where}:\n\t${error.message}`;
}

function lockName({ metadata }: Chart): string {
  return metadata.apiVersion === "v1" ? "requirements.lock" : "Chart.lock";
}

/** The fields of a dependency that a lock's digest covers. */
function lockedOf(dependency: Dependency): LockedDependency {
  return dependency;
}

function refusal(because: string): Fault {
  return new Fault(because, undefined, { final: true });
}
