import type { Chart, Dependency, Lock } from "../../chart/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { quote } from "../../lang/template/index.ts";
import { isOci, sameAddress } from "../address.ts";
import type { Repository } from "../repositories-file.ts";
import { kindOf } from "../store/file.ts";
import { listRepositories, refreshAll, type Updated } from "../store/repositories.ts";
import { gather } from "./gather.ts";
import { housed, type Housed } from "./home.ts";
import { lockDigest, lockText, oldLockDigest, requestedBy, type Locked } from "./lock.ts";
import { resolve } from "./resolve.ts";
import type { Work } from "./work.ts";

/** Brings into `charts/` what the chart asks for, in the versions that fit best, and writes down which. Models helm pkg/downloader Manager.Update */
export async function updateDependencies(work: Work): Promise<void> {
  const chart = chartIn(work);
  const requested = requestedBy(chart);
  if (requested === undefined) return;
  const all = housed(requested, listRepositories(work.outside), work.folder);
  await refreshFor(all, work);
  const locked = await resolve(all, work);
  const digest = lockDigest(
    all.map(({ dependency }) => dependency),
    locked,
  );
  await gather(
    locked.map((each, at) => ({ locked: each, home: all[at]!.home })),
    work,
    (folder) => {
      if (chart.lock?.digest === digest) return;
      folder.writeLock(lockName(chart), lockText(locked, digest, new Date(work.outside.clock.now())));
    },
  );
}

/** Brings into `charts/` exactly what the lock says; without a lock it is an update. Models helm pkg/downloader Manager.Build */
export async function buildDependencies(work: Work): Promise<void> {
  const chart = chartIn(work);
  const { lock } = chart;
  if (lock === undefined) return updateDependencies(work);
  const repositories = listRepositories(work.outside);
  checkLock(chart, lock, repositories, work);
  checkKnown(lock.dependencies, repositories);
  const all = housed(lock.dependencies, repositories, work.folder);
  await refreshFor(all, work);
  await gather(
    all.map(({ dependency, home }) => ({ locked: lockedOf(dependency), home })),
    work,
  );
}

function chartIn({ folder, load }: Work): Chart {
  const kind = kindOf(folder);
  if (kind === "nothing") throw refusal(`could not find ${folder}: no such file or directory`);
  if (kind === "file") throw refusal("only unpacked charts can be updated");
  return load(folder);
}

/** A lock that belongs to another wish than the chart's is refused. Charts of the first version may have one by Helm 2. */
function checkLock(chart: Chart, { digest, dependencies }: Lock, repositories: readonly Repository[], { folder, outside }: Work): void {
  const requested = requestedBy(chart);
  const resolved = requested === undefined ? undefined : housed(requested, repositories, folder).map(({ dependency }) => dependency);
  if (lockDigest(resolved, dependencies.map(lockedOf)) === digest) return;
  if (chart.metadata.apiVersion !== "v1")
    throw refusal(
      "the lock file (Chart.lock) is out of sync with the dependencies file (Chart.yaml). Please update the dependencies with 'sluice dependency update'",
    );
  outside.warn("a valid Helm v3 hash was not found. Checking against Helm v2 hash...");
  if (oldLockDigest(requested) === digest) return;
  throw refusal(
    "the lock file (requirements.lock) is out of sync with the dependencies file (requirements.yaml). Please update the dependencies",
  );
}

/** A lock is followed only to repositories that somebody has chosen to know. Models helm pkg/downloader hasAllRepos */
function checkKnown(dependencies: readonly Dependency[], repositories: readonly Repository[]): void {
  const missing = dependencies
    .map(({ repository }) => repository)
    .filter((address) => address !== "" && !address.startsWith("file://") && !isOci(address))
    .filter((address) => !repositories.some(({ url }) => sameAddress(url, address)));
  if (missing.length === 0) return;
  throw refusal(`no repository definition for ${missing.join(", ")}. Please add the missing repos via 'sluice repo add'`);
}

/** Fetches the indexes anew that are going to be looked at. One that cannot be fetched is told of; the kept one may do. */
async function refreshFor(all: readonly Housed[], { skipRefresh = false, tell, outside }: Work): Promise<void> {
  if (skipRefresh) return;
  const needed = new Map<string, Repository>();
  for (const { home } of all) if (home.kind === "repository") needed.set(home.repository.name, home.repository);
  if (needed.size === 0) return;
  tell("Hang tight while we grab the latest from your chart repositories...");
  await refreshAll([...needed.values()], (updated) => tell(updateText(updated)), outside);
}

/** What became of a repository's update. Those without a name are called by their address. */
export function updateText({ repository: { name, url }, trouble }: Updated): string {
  const called = name.startsWith("helm-manager-") ? url : name;
  if (trouble === undefined) return `...Successfully got an update from the ${quote(called)} chart repository`;
  const where = called === url ? "" : ` (${url})`;
  return `...Unable to get an update from the ${quote(called)} chart repository${where}:\n\t${trouble.message}`;
}

function lockName({ metadata }: Chart): string {
  return metadata.apiVersion === "v1" ? "requirements.lock" : "Chart.lock";
}

/** All that the digest of a lock counts of one. */
function lockedOf(dependency: Dependency): Locked {
  return dependency;
}

function refusal(because: string): Fault {
  return new Fault(because, undefined, { final: true });
}
