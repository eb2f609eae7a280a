import { dirname, join } from "node:path";
import { Fault } from "../../core/fault/index.ts";
import { isFields } from "../../core/object/index.ts";
import { sha256 } from "../digest.ts";
import type { RepositoryEnvironment } from "../repository-environment.ts";
import { readTextIfExists, replaceFile } from "./file.ts";
import { trimFolder } from "./trim-folder.ts";

/** A schema as it was fetched. */
export type FetchedSchema = {
  readonly text: string;
  /** When it was fetched or confirmed last, in milliseconds since the epoch. */
  readonly fetchedAt: number;
  /** Until when it is used without asking the server again. */
  readonly freshUntil: number;
  /** The headers by which the server is asked whether it has changed. */
  readonly validators: Readonly<Record<string, string>>;
};

/** The cached schema of a URL. Anything else in its file is ignored. */
export function cachedSchema(url: string, { paths }: RepositoryEnvironment): FetchedSchema | undefined {
  try {
    const value: unknown = JSON.parse(readTextIfExists(fileFor(url, paths.repositoryCache)) ?? "null");
    return isFetchedSchema(value) ? value : undefined;
  } catch (error) {
    if (error instanceof Fault || error instanceof SyntaxError) return undefined; // an unreadable cache counts as empty
    throw error;
  }
}

/** Caches a schema. A cache that cannot be written is only a warning. */
export function cacheSchema(url: string, schema: FetchedSchema, { paths, warn, maxCacheBytes }: RepositoryEnvironment): void {
  try {
    const text = JSON.stringify(schema);
    if (maxCacheBytes !== undefined) trimFolder(dirname(fileFor(url, paths.repositoryCache)), maxCacheBytes - Buffer.byteLength(text));
    // Only the owner reads it, because a URL may contain a token.
    replaceFile(fileFor(url, paths.repositoryCache), text, 0o600);
  } catch (error) {
    warn(`the schema is not kept for next time: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function fileFor(url: string, folder: string): string {
  return join(folder, "schemas", `${sha256(Buffer.from(url))}.json`);
}

function isFetchedSchema(value: unknown): value is FetchedSchema {
  return (
    isFields(value) &&
    typeof value["text"] === "string" &&
    Number.isFinite(value["fetchedAt"]) &&
    Number.isFinite(value["freshUntil"]) &&
    isFields(value["validators"]) &&
    Object.values(value["validators"]).every((each) => typeof each === "string")
  );
}
