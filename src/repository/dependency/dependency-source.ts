import { isAbsolute, join, resolve } from "node:path";
import type { Dependency } from "../../chart/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { isOci, sameUrl } from "../url.ts";
import { sha256 } from "../digest.ts";
import type { Repository } from "../repositories-file.ts";
import { pathTypeOf } from "../store/file.ts";

/** Where a dependency comes from. */
export type DependencySource =
  /** Unpacked in `charts/`. */
  | { readonly kind: "own" }
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "registry" }
  /** `known` means that the repository was added under a name. Others get a generated name for the cache. */
  | { readonly kind: "repository"; readonly repository: Repository; readonly known: boolean };

export type SourcedDependency = { readonly dependency: Dependency; readonly source: DependencySource };

/**
 * Finds the source of each dependency. A repository alias (`@name`, `alias:name`) is replaced by its URL, also in the
 * lock and its digest. Models helm pkg/downloader resolveRepoNames
 */
export function findDependencySources(
  dependencies: readonly Dependency[],
  repositories: readonly Repository[],
  folder: string,
): readonly SourcedDependency[] {
  const found = dependencies.map((dependency) => sourcedDependencyOf(dependency, repositories, folder));
  const missing = dependencies.filter((_, at) => found[at] === undefined).map(({ repository }) => repository);
  if (missing.length > 0) throw refusal(missingText(missing));
  return found.filter((each) => each !== undefined);
}

function sourcedDependencyOf(dependency: Dependency, repositories: readonly Repository[], folder: string): SourcedDependency | undefined {
  const { repository: address } = dependency;
  if (address === "") return { dependency, source: { kind: "own" } };
  if (address.startsWith("file://")) return { dependency, source: { kind: "folder", path: localPath(address, folder) } };
  if (isOci(address)) return { dependency, source: { kind: "registry" } };
  const alias = /^(?:@|alias:)(.*)$/s.exec(address)?.[1];
  const known = repositories.find(({ name, url }) => (alias === undefined ? sameUrl(url, address) : name === alias));
  if (known !== undefined)
    return {
      dependency: alias === undefined ? dependency : { ...dependency, repository: known.url },
      source: { kind: "repository", repository: known, known: true },
    };
  if (alias !== undefined || !URL.canParse(address)) return undefined;
  const repository = { name: `helm-manager-${sha256(address)}`, url: address };
  return { dependency, source: { kind: "repository", repository, known: false } };
}

/** Models helm internal/resolver GetLocalPath */
export function localPath(address: string, folder: string): string {
  const path = address.replace(/^file:\/\//, "");
  const found = isAbsolute(path) ? resolve(path) : join(folder, path);
  if (pathTypeOf(found) === "nothing") throw refusal(`directory ${found} not found`);
  return found;
}

function missingText(missing: readonly string[]): string {
  const text = `no repository definition for ${missing.join(", ")}. Please add them via 'sluice repo add'`;
  if (!missing.some((address) => !address.includes("//") && !/^(@|alias:)/.test(address))) return text;
  return `${text}\nNote that repositories must be URLs or aliases: for a repository that was added as "example", write "@example" or its URL instead of "example".`;
}

function refusal(because: string): Fault {
  return new Fault(because, undefined, { final: true });
}
