import { isAbsolute, resolve } from "node:path";
import { Fault } from "../core/fault/index.ts";
import { quote } from "../lang/template/index.ts";
import type { RepositoryAccess } from "./repository-access.ts";
import { fileNameOf, isAbsoluteUrl, isOci, resolveReferenceUrl, sameUrl } from "./url.ts";
import type { ChartVersion } from "./index-file.ts";
import { chooseVersion, develVersions } from "./choose-version.ts";
import { indexedDigest } from "./digest.ts";
import { fetchArchive, fetchIndex, fetchProvenance, type RepositoryEndpoint } from "./fetch-archive.ts";
import { fetchOciChart } from "./oci/fetch-oci-chart.ts";
import { digestOf, readKeyringFile, verifyProvenance, type Verification } from "./provenance.ts";
import type { RepositoryEnvironment } from "./repository-environment.ts";
import type { Repository } from "./repositories-file.ts";
import { cachedArchive, cacheArchive } from "./store/content-cache.ts";
import { pathTypeOf, readFileIfExists, readTextIfExists } from "./store/file.ts";
import { searchIndex } from "./search-index.ts";
import { cachedIndex } from "./store/index-cache.ts";
import { listRepositories, unreachableRepository } from "./store/repositories.ts";

/** Selects a version of a chart, and how to access it. Models helm pkg/action ChartPathOptions */
export type ChartPathOptions = RepositoryAccess & {
  /** A version or a constraint. */
  readonly version?: string;
  /** Allow pre-releases when no version is given. */
  readonly devel?: boolean;
  /** The URL of the chart's repository. */
  readonly repo?: string;
  /** The chart must have a provenance file that a key of the keyring has signed. */
  readonly verify?: boolean;
  /** The public keys, or the file with them. Default: GnuPG's file. */
  readonly keyring?: string | Uint8Array;
};

/** A located chart: a path on this machine, or the content and file name of its archive. */
type LocatedChart = { readonly where: "folder" | "file"; readonly path: string } | ({ readonly where: "fetched" } & FetchedChart);

/** The content and file name of an archive. With `verify` its provenance file, and who has signed it. */
type FetchedChart = {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly verified?: Verification & { readonly provenance: string };
};

/** An archive, and where its provenance file is. */
export type Download = Pick<FetchedChart, "name" | "bytes"> & { readonly provenance: () => Promise<string> };

/**
 * Locates a chart: a local folder or archive, `repository/chart`, a name in the repository `repo`, the URL of an
 * archive, or `oci://…`. Models helm pkg/action LocateChart
 */
export async function locateChart(reference: string, options: ChartPathOptions, environment: RepositoryEnvironment): Promise<LocatedChart> {
  const name = reference.trim();
  if (options.repo === undefined || options.repo === "") {
    const kind = pathTypeOf(name);
    if (kind !== "nothing" && options.verify === true) return verifiedFile(kind, resolve(name), options, environment);
    if (kind !== "nothing") return { where: kind, path: resolve(name) };
    if (isAbsolute(name) || name.startsWith(".")) throw refusal(`path ${quote(name)} not found`);
  }
  return { where: "fetched", ...(await fetchChart(name, options, environment)) };
}

/** Fetches a remote chart, even when a local file has its name. */
export async function fetchChart(name: string, options: ChartPathOptions, environment: RepositoryEnvironment): Promise<FetchedChart> {
  const { provenance, ...chart } = await download(name, options, environment);
  if (options.verify !== true) return chart;
  return { ...chart, verified: await verifyDownload({ ...chart, provenance }, options, environment) };
}

/** Fetches the provenance file of a chart, and verifies the chart by it. */
export async function verifyDownload(
  { name, bytes, provenance }: Download,
  options: Pick<ChartPathOptions, "keyring">,
  environment: RepositoryEnvironment,
): Promise<NonNullable<FetchedChart["verified"]>> {
  // A keyring that is missing is not worth a download.
  const keyring = keyringOf(options, environment);
  const signed = { name, digest: digestOf(bytes), provenance: await provenance(), keyring };
  const verification = await (environment.isolated?.verifyProvenance(signed) ?? verifyProvenance(signed, environment.clock.now()));
  return { ...verification, provenance: signed.provenance };
}

/** The content that was verified: the file may change before it is read again. */
function verifiedFile(kind: "folder" | "file", path: string, options: ChartPathOptions, environment: RepositoryEnvironment): LocatedChart {
  if (kind === "folder") throw refusal(`${path}: unpacked charts cannot be verified`);
  const provenance = readTextIfExists(`${path}.prov`);
  if (provenance === undefined) throw refusal(`could not load provenance file ${path}.prov: there is no such file`);
  const bytes = readFileIfExists(path) ?? new Uint8Array();
  const signed = { name: path, digest: digestOf(bytes), provenance, keyring: keyringOf(options, environment) };
  return { where: "fetched", name: path, bytes, verified: { ...verifyProvenance(signed, environment.clock.now()), provenance } };
}

function keyringOf({ keyring }: Pick<ChartPathOptions, "keyring">, { paths }: RepositoryEnvironment): Uint8Array {
  return keyring instanceof Uint8Array ? keyring : readKeyringFile(keyring ?? paths.keyring);
}

async function download(name: string, options: ChartPathOptions, environment: RepositoryEnvironment): Promise<Download> {
  const version = options.version?.trim() || (options.devel === true ? develVersions : "");
  if (options.repo !== undefined && options.repo !== "") return fromAddress(name, version, { ...options, url: options.repo }, environment);
  if (isOci(name)) return fetchOciChart(name, version, options, environment);
  if (isAbsoluteUrl(name)) return fetched(name, endpointOfUrl(name, options, environment), undefined, environment);
  return fromRepository(name, version, options, environment);
}

/** Models helm pkg/repo/v1 FindChartInRepoURL */
async function fromAddress(name: string, version: string, endpoint: RepositoryEndpoint, environment: RepositoryEnvironment) {
  const what = `chart ${quote(name)}${version === "" ? "" : ` version ${quote(version)}`}`;
  const search = environment.isolated?.searchIndex ?? searchIndex;
  const { chart, warnings } = await fetchIndex(endpoint, environment)
    .then((index) => search({ index, source: endpoint.url, name, version }))
    .catch((error: unknown) => {
      throw environment.signal.aborted ? error : unreachableRepository(endpoint.url, error);
    });
  for (const warning of warnings) environment.warn(warning);
  if (chart === undefined) throw refusal(`${what} not found in ${endpoint.url} repository`);
  return fetchIndexedChart(chart, what, endpoint, environment);
}

/** Resolves `repository/chart` with the cached index. Models helm pkg/downloader ResolveChartVersion */
async function fromRepository(name: string, version: string, access: RepositoryAccess, environment: RepositoryEnvironment) {
  const slash = name.indexOf("/");
  if (slash < 0) throw refusal(`non-absolute URLs should be in form of repo_name/path_to_chart, got: ${name}`);
  const [repositoryName, chartName] = [name.slice(0, slash), name.slice(slash + 1)];
  const repository = listRepositories(environment).find((each) => each.name === repositoryName);
  if (repository === undefined) throw refusal(`repo ${repositoryName} not found`);
  if (repository.url === "") throw refusal(`no URL found for repository ${repositoryName}`);
  const index = cached(repositoryName, environment);
  const chart = found(
    () => chooseVersion(index, chartName, version, environment.warn),
    `chart ${quote(chartName)} matching ${version} not found in ${repositoryName} index. (try 'sluice repo update')`,
  );
  return fetchIndexedChart(chart, `chart ${quote(name)}`, merged(repository, access), environment);
}

function cached(repository: string, environment: RepositoryEnvironment) {
  return found(() => cachedIndex(repository, environment), "no cached repo found. (try 'sluice repo update')");
}

function found<Found>(look: () => Found, otherwise: string): Found {
  try {
    return look();
  } catch (error) {
    throw new Fault(otherwise, error, { final: true });
  }
}

export async function fetchIndexedChart(
  chart: ChartVersion,
  what: string,
  endpoint: RepositoryEndpoint,
  environment: RepositoryEnvironment,
) {
  const [first] = chart.urls;
  if (first === undefined) throw refusal(`${what} has no downloadable URLs`);
  const url = resolveReferenceUrl(endpoint.url, first);
  if (isOci(url)) return fetchOciChart(url, chart.version, forOthers(endpoint), environment);
  return fetched(url, endpoint, indexedDigest(chart.digest), environment);
}

/** A registry is another host than the repository that refers to it, so it gets no credentials unless they are passed on. */
function forOthers(endpoint: RepositoryEndpoint): RepositoryAccess {
  if (endpoint.passCredentials === true) return endpoint;
  const { username: _username, password: _password, ...access } = endpoint;
  return access;
}

async function fetched(url: string, endpoint: RepositoryEndpoint, digest: string | undefined, environment: RepositoryEnvironment) {
  const known = digest === undefined ? undefined : cachedArchive(digest, environment);
  const bytes = known ?? (await fetchArchive(url, endpoint, digest, environment));
  if (known === undefined) cacheArchive(bytes, environment);
  return { name: fileNameOf(url), bytes, provenance: () => fetchProvenance(url, endpoint, environment) };
}

/** The endpoint of an archive URL: that of the named repository that contains it, if any. */
function endpointOfUrl(url: string, access: RepositoryAccess, environment: RepositoryEnvironment): RepositoryEndpoint {
  const repository = listRepositories(environment).find((each) => offers(each, url, environment));
  return repository === undefined ? { ...access, url } : merged(repository, access);
}

function offers(repository: Repository, url: string, environment: RepositoryEnvironment): boolean {
  try {
    const index = cachedIndex(repository.name, { ...environment, warn: () => undefined });
    return [...index.values()].some((charts) => charts.some(({ urls }) => urls.some((each) => sameUrl(each, url))));
  } catch (error) {
    if (error instanceof Fault) return false; // an index that cannot be read offers nothing
    throw error;
  }
}

/** Merges the access of a named repository with that of the flags. The repository's wins, as in Helm. */
function merged(repository: Repository, access: RepositoryAccess): RepositoryEndpoint {
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
