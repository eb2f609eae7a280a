import { isAbsolute, resolve } from "node:path";
import { Fault } from "../core/fault/index.ts";
import { quote } from "../lang/template/index.ts";
import type { Access } from "./access.ts";
import { fileNameOf, isAbsoluteAddress, isOci, resolveAddress, sameAddress } from "./address.ts";
import type { IndexedChart } from "./chart-index.ts";
import { chooseVersion, develVersions } from "./choose.ts";
import { indexedDigest } from "./digest.ts";
import { fetchArchive, type Owner } from "./fetch.ts";
import { fetchOci } from "./oci/fetch.ts";
import type { Outside } from "./outside.ts";
import type { Repository } from "./repositories-file.ts";
import { cachedArchive, keepArchive } from "./store/content-cache.ts";
import { kindOf } from "./store/file.ts";
import { cachedIndex, downloadIndex } from "./store/index-cache.ts";
import { listRepositories, unreachableRepository } from "./store/repositories.ts";

/** Which chart is meant, beside the words for it. */
export type ChartChoice = Access & {
  /** A version, or what it has to satisfy. */
  readonly version?: string;
  /** Versions under development will do, where no version is asked for. */
  readonly devel?: boolean;
  /** The address of the repository that the chart is in. */
  readonly repo?: string;
};

/** A chart that was found: on this machine, or as the bytes of its archive and the name of the file that it would be. */
export type Located =
  | { readonly where: "folder" | "file"; readonly path: string }
  | { readonly where: "fetched"; readonly name: string; readonly bytes: Uint8Array };

/**
 * Finds the chart that somebody means: a folder or an archive here, `repository/chart`, a name in the repository `repo`, the
 * address of an archive, or `oci://…`. Models helm pkg/action LocateChart
 */
export async function locateChart(reference: string, choice: ChartChoice, outside: Outside): Promise<Located> {
  const name = reference.trim();
  if (choice.repo === undefined || choice.repo === "") {
    const kind = kindOf(name);
    if (kind !== "nothing") return { where: kind, path: resolve(name) };
    if (isAbsolute(name) || name.startsWith(".")) throw refusal(`path ${quote(name)} not found`);
  }
  return { where: "fetched", ...(await fetchChart(name, choice, outside)) };
}

/** Fetches a chart from elsewhere, whatever lies here under its name. */
export async function fetchChart(
  name: string,
  choice: ChartChoice,
  outside: Outside,
): Promise<{ readonly name: string; readonly bytes: Uint8Array }> {
  const version = choice.version?.trim() || (choice.devel === true ? develVersions : "");
  if (choice.repo !== undefined && choice.repo !== "") return fromAddress(name, version, { ...choice, url: choice.repo }, outside);
  if (isOci(name)) return fetchOci(name, version, choice, outside);
  if (isAbsoluteAddress(name)) return fetched(name, ownerOf(name, choice, outside), undefined, outside);
  return fromRepository(name, version, choice, outside);
}

/** Models helm pkg/repo/v1 FindChartInRepoURL */
async function fromAddress(name: string, version: string, owner: Owner, outside: Outside) {
  const { index } = await downloadIndex(owner, outside).catch((error: unknown) => {
    throw outside.signal.aborted ? error : unreachableRepository(owner.url, error);
  });
  const what = `chart ${quote(name)}${version === "" ? "" : ` version ${quote(version)}`}`;
  let chart: IndexedChart;
  try {
    chart = chooseVersion(index, name, version, outside.warn);
  } catch {
    throw refusal(`${what} not found in ${owner.url} repository`);
  }
  return fetchedFrom(chart, what, owner, outside);
}

/** `repository/chart`, by the index that is kept of it. Models helm pkg/downloader ResolveChartVersion */
async function fromRepository(name: string, version: string, access: Access, outside: Outside) {
  const slash = name.indexOf("/");
  if (slash < 0) throw refusal(`non-absolute URLs should be in form of repo_name/path_to_chart, got: ${name}`);
  const [repositoryName, chartName] = [name.slice(0, slash), name.slice(slash + 1)];
  const repository = listRepositories(outside).find((each) => each.name === repositoryName);
  if (repository === undefined) throw refusal(`repo ${repositoryName} not found`);
  if (repository.url === "") throw refusal(`no URL found for repository ${repositoryName}`);
  const index = cached(repositoryName, outside);
  const chart = found(
    () => chooseVersion(index, chartName, version, outside.warn),
    `chart ${quote(chartName)} matching ${version} not found in ${repositoryName} index. (try 'sluice repo update')`,
  );
  return fetchedFrom(chart, `chart ${quote(name)}`, merged(repository, access), outside);
}

function cached(repository: string, outside: Outside) {
  return found(() => cachedIndex(repository, outside), "no cached repo found. (try 'sluice repo update')");
}

function found<Found>(look: () => Found, otherwise: string): Found {
  try {
    return look();
  } catch (error) {
    throw new Fault(otherwise, error, { final: true });
  }
}

export async function fetchedFrom(chart: IndexedChart, what: string, owner: Owner, outside: Outside) {
  const [first] = chart.urls;
  if (first === undefined) throw refusal(`${what} has no downloadable URLs`);
  const url = resolveAddress(owner.url, first);
  if (isOci(url)) return fetchOci(url, chart.version, forOthers(owner), outside);
  return fetched(url, owner, indexedDigest(chart.digest), outside);
}

/** A registry is another host than the repository that points to it: it learns no password, unless it is to. */
function forOthers(owner: Owner): Access {
  if (owner.passCredentials === true) return owner;
  const { username: _username, password: _password, ...access } = owner;
  return access;
}

async function fetched(url: string, owner: Owner, digest: string | undefined, outside: Outside) {
  const known = digest === undefined ? undefined : cachedArchive(digest, outside);
  const bytes = known ?? (await fetchArchive(url, owner, digest, outside));
  if (known === undefined) keepArchive(bytes, outside);
  return { name: fileNameOf(url), bytes };
}

/** An archive that lies in a repository with a name is fetched as that repository is reached. */
function ownerOf(url: string, access: Access, outside: Outside): Owner {
  const repository = listRepositories(outside).find((each) => offers(each, url, outside));
  return repository === undefined ? { ...access, url } : merged(repository, access);
}

function offers(repository: Repository, url: string, outside: Outside): boolean {
  try {
    const index = cachedIndex(repository.name, { ...outside, warn: () => undefined });
    return [...index.values()].some((charts) => charts.some(({ urls }) => urls.some((each) => sameAddress(each, url))));
  } catch (error) {
    if (error instanceof Fault) return false; // of which nothing is known here, nothing is known
    throw error;
  }
}

/** What was said of the repository when it got its name comes before what the flags say now, as with Helm. */
function merged(repository: Repository, access: Access): Owner {
  const hasUser = (repository.username ?? "") !== "" && (repository.password ?? "") !== "";
  const hasTrust = [repository.caFile, repository.certFile, repository.keyFile].some((file) => (file ?? "") !== "");
  return {
    ...access,
    url: repository.url,
    ...(hasUser ? { username: repository.username!, password: repository.password! } : {}),
    ...(hasUser ? { passCredentials: repository.passCredentials === true } : {}),
    ...(hasTrust ? { caFile: repository.caFile ?? "", certFile: repository.certFile ?? "", keyFile: repository.keyFile ?? "" } : {}),
    insecureSkipTlsVerify: access.insecureSkipTlsVerify === true || repository.insecureSkipTlsVerify === true,
  };
}

function refusal(because: string): Fault {
  return new Fault(because, undefined, { final: true });
}
