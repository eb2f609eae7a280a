import { Fault } from "../core/fault/index.ts";
import { booleanAt, isFields, listAt, stringAt } from "../core/object/index.ts";
import { marshalYaml, parseYaml, YamlFault } from "../lang/yaml/index.ts";
import type { RepositoryAccess } from "./repository-access.ts";

/** A repository that was added under a name. */
export type Repository = Omit<RepositoryAccess, "plainHttp"> & { readonly name: string; readonly url: string };

/** The content of `repositories.yaml`. `generated` is preserved. */
export type RepositoriesFile = { readonly generated: string; readonly repositories: readonly Repository[] };

/** Go's zero time. */
const never = "0001-01-01T00:00:00Z";

export const noRepositories: RepositoriesFile = { generated: never, repositories: [] };

export function readRepositories(text: string, file: string): RepositoriesFile {
  const value = valueIn(text, file);
  return { generated: stringAt(value, "generated", never), repositories: listAt(value, "repositories").map(repositoryIn) };
}

function valueIn(text: string, file: string): unknown {
  try {
    const value = parseYaml(text);
    if (value === null || isFields(value)) return value;
  } catch (error) {
    if (error instanceof YamlFault) throw new Fault(`couldn't load repositories file (${file})`, error, { final: true });
    throw error;
  }
  throw new Fault(`couldn't load repositories file (${file})`, "it is no map: mend it, or move it away", { final: true });
}

function repositoryIn(entry: unknown): Repository {
  return {
    name: stringAt(entry, "name", ""),
    url: stringAt(entry, "url", ""),
    username: stringAt(entry, "username", ""),
    password: stringAt(entry, "password", ""),
    certFile: stringAt(entry, "certFile", ""),
    keyFile: stringAt(entry, "keyFile", ""),
    caFile: stringAt(entry, "caFile", ""),
    insecureSkipTlsVerify: booleanAt(entry, "insecure_skip_tls_verify"),
    passCredentials: booleanAt(entry, "pass_credentials_all"),
  };
}

/** Formats the file as Helm does, with all fields. */
export function repositoriesText({ generated, repositories }: RepositoriesFile): string {
  return marshalYaml({ apiVersion: "", generated, repositories: repositories.map(entryOf) });
}

function entryOf(repository: Repository): unknown {
  const { name, url, username = "", password = "", certFile = "", keyFile = "", caFile = "" } = repository;
  const { insecureSkipTlsVerify = false, passCredentials = false } = repository;
  return {
    name,
    url,
    username,
    password,
    certFile,
    keyFile,
    caFile,
    insecure_skip_tls_verify: insecureSkipTlsVerify,
    pass_credentials_all: passCredentials,
  };
}

/** Whether two entries are equal. */
export function sameRepository(one: Repository, other: Repository): boolean {
  return marshalYaml(entryOf(one)) === marshalYaml(entryOf(other));
}

/** Adds a repository, or replaces the one with its name. */
export function withRepository(file: RepositoriesFile, repository: Repository): RepositoriesFile {
  const known = file.repositories.some(({ name }) => name === repository.name);
  const repositories = known
    ? file.repositories.map((each) => (each.name === repository.name ? repository : each))
    : [...file.repositories, repository];
  return { ...file, repositories };
}

export function withoutRepository(file: RepositoriesFile, name: string): RepositoriesFile {
  return { ...file, repositories: file.repositories.filter((each) => each.name !== name) };
}
