import { Fault } from "../../core/fault/index.ts";
import { quote } from "../../lang/template/index.ts";
import { redactedUrl } from "../../http/index.ts";
import { isOci } from "../url.ts";
import type { RepositoryEnvironment } from "../repository-environment.ts";
import {
  noRepositories,
  readRepositories,
  repositoriesText,
  sameRepository,
  withoutRepository,
  withRepository,
  type RepositoriesFile,
  type Repository,
} from "../repositories-file.ts";
import { replaceFile, readTextIfExists } from "./file.ts";
import { withFileLock } from "./file-lock.ts";
import { removeCachedIndex, refreshIndex } from "./index-cache.ts";

/** The named repositories. */
export function listRepositories({ paths }: RepositoryEnvironment): readonly Repository[] {
  return fileIn(paths.repositoriesFile).repositories;
}

/**
 * Adds a named repository after its index has been downloaded. Adding the same one again changes nothing. Another one
 * with that name is only replaced on request.
 */
export async function addRepository(
  repository: Repository,
  { forceUpdate = false }: { readonly forceUpdate?: boolean },
  environment: RepositoryEnvironment,
): Promise<"added" | "unchanged"> {
  checkName(repository.name);
  if (isOci(repository.url))
    throw refusal(
      `${repository.url} is a registry, which needs no name: say ${repository.url.replace(/\/$/, "")}/CHART wherever a chart is asked for`,
    );
  const known = listRepositories(environment).find(({ name }) => name === repository.name);
  if (known !== undefined && !forceUpdate) {
    if (sameRepository(known, repository)) return "unchanged";
    throw refusal(`repository name (${repository.name}) already exists, please specify a different name`);
  }
  try {
    await refreshIndex(repository, environment);
  } catch (error) {
    throw environment.signal.aborted ? error : unreachableRepository(repository.url, error);
  }
  await editFile(environment, (file) => withRepository(file, repository));
  return "added";
}

/** Removes repositories and their cached indexes. Unless all names are known, none is removed. */
export async function removeRepositories(names: readonly string[], environment: RepositoryEnvironment): Promise<void> {
  const known = listRepositories(environment);
  if (known.length === 0) throw refusal("no repositories configured");
  const unknown = names.find((name) => !known.some((repository) => repository.name === name));
  if (unknown !== undefined) throw refusal(`no repo named ${quote(unknown)} found`);
  await editFile(environment, (file) => names.reduce(withoutRepository, file));
  for (const name of names) removeCachedIndex(name, environment);
}

/** The result of one repository's update. */
export type RepositoryUpdate = { readonly repository: Repository; readonly error?: Error };

/** Downloads the indexes of the given repositories, or of all. A failure does not affect the others. */
export async function updateRepositories(
  names: readonly string[],
  report: (updated: RepositoryUpdate) => void,
  environment: RepositoryEnvironment,
): Promise<readonly RepositoryUpdate[]> {
  const known = listRepositories(environment);
  if (known.length === 0) throw refusal("no repositories found. You must add one before updating");
  const unknown = names.find((name) => !known.some((repository) => repository.name === name));
  if (unknown !== undefined) throw refusal(`no repositories found matching '${unknown}'.  Nothing will be updated`);
  return refreshAll(
    known.filter(({ name }) => names.length === 0 || names.includes(name)),
    report,
    environment,
  );
}

export function refreshAll(
  repositories: readonly Repository[],
  report: (updated: RepositoryUpdate) => void,
  environment: RepositoryEnvironment,
): Promise<readonly RepositoryUpdate[]> {
  return Promise.all(
    repositories.map(async (repository) => {
      const updated = await refreshOne(repository, environment);
      report(updated);
      return updated;
    }),
  );
}

async function refreshOne(repository: Repository, environment: RepositoryEnvironment): Promise<RepositoryUpdate> {
  try {
    await refreshIndex(repository, environment);
    return { repository };
  } catch (error) {
    if (environment.signal.aborted || !(error instanceof Error)) throw error;
    return { repository, error };
  }
}

export function unreachableRepository(url: string, error: unknown): Fault {
  return new Fault(`looks like ${quote(redactedUrl(url))} is not a valid chart repository or cannot be reached`, error);
}

/** Reads and writes the file under a lock. It contains passwords, so only its owner may read it. */
function editFile({ paths, clock, signal }: RepositoryEnvironment, edit: (file: RepositoriesFile) => RepositoriesFile): Promise<void> {
  const { repositoriesFile: path } = paths;
  return withFileLock(path, clock, signal, () => replaceFile(path, repositoriesText(edit(fileIn(path))), 0o600));
}

function fileIn(path: string): RepositoriesFile {
  const text = readTextIfExists(path);
  return text === undefined ? noRepositories : readRepositories(text, path);
}

function checkName(name: string): void {
  if (name === "") throw refusal("a repository needs a name");
  if (name.includes("/")) throw refusal(`repository name (${name}) contains '/', please specify a different name without '/'`);
}

function refusal(because: string): Fault {
  return new Fault(because, undefined, { final: true });
}
