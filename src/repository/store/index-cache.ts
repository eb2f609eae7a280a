import { join } from "node:path";
import { Fault } from "../../core/fault/index.ts";
import { loadIndex, type IndexFile } from "../index-file.ts";
import { fetchIndex, type RepositoryEndpoint } from "../fetch-archive.ts";
import type { RepositoryEnvironment } from "../repository-environment.ts";
import { chartsFileName, indexFileName } from "../helm-paths.ts";
import { removeFile, replaceFile, readTextIfExists } from "./file.ts";

/** Downloads the index of a repository and caches it under the repository's name. An invalid one is not cached. */
export async function refreshIndex(
  endpoint: RepositoryEndpoint & { readonly name: string },
  environment: RepositoryEnvironment,
): Promise<IndexFile> {
  const text = Buffer.from(await fetchIndex(endpoint, environment)).toString("utf8");
  const index = loadIndex(text, endpoint.url, environment.warn);
  const { repositoryCache } = environment.paths;
  replaceFile(join(repositoryCache, chartsFileName(endpoint.name)), [...index.keys()].map((name) => `${name}\n`).join(""), 0o644);
  replaceFile(join(repositoryCache, indexFileName(endpoint.name)), text, 0o644);
  return index;
}

/** Reads the cached index of a repository. */
export function cachedIndex(name: string, { paths, warn }: RepositoryEnvironment): IndexFile {
  const file = join(paths.repositoryCache, indexFileName(name));
  const text = readTextIfExists(file);
  if (text === undefined) throw new Fault(`open ${file}: no such file or directory`, undefined, { final: true });
  try {
    return loadIndex(text, file, warn);
  } catch (error) {
    throw new Fault(`error loading ${file}`, error, { final: true });
  }
}

export function removeCachedIndex(name: string, { paths }: RepositoryEnvironment): void {
  removeFile(join(paths.repositoryCache, chartsFileName(name)));
  removeFile(join(paths.repositoryCache, indexFileName(name)));
}
