import { join } from "node:path";
import { Fault } from "../../core/fault/index.ts";
import { sha256 } from "../digest.ts";
import type { RepositoryEnvironment } from "../repository-environment.ts";
import { readFileIfExists, replaceFile } from "./file.ts";
import { trimFolder } from "./trim-folder.ts";

/** A cached chart, by the digest of its content. Content that does not match is ignored. */
export function cachedArchive(digest: string, { paths }: RepositoryEnvironment): Uint8Array | undefined {
  try {
    const bytes = readFileIfExists(fileFor(digest, paths.contentCache));
    return bytes !== undefined && sha256(bytes) === digest ? bytes : undefined;
  } catch (error) {
    if (error instanceof Fault) return undefined; // an unreadable cache counts as empty
    throw error;
  }
}

/** Caches a chart. A cache that cannot be written is only a warning. */
export function cacheArchive(bytes: Uint8Array, { paths, warn, maxCacheBytes }: RepositoryEnvironment): void {
  try {
    if (maxCacheBytes !== undefined) trimFolder(paths.contentCache, maxCacheBytes - bytes.length);
    replaceFile(fileFor(sha256(bytes), paths.contentCache), bytes, 0o644);
  } catch (error) {
    warn(`the chart is not kept for next time: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Models helm pkg/downloader/cache.go */
function fileFor(digest: string, folder: string): string {
  return join(folder, digest.slice(0, 2), `${digest}.chart`);
}
