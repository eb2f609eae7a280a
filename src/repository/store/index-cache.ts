import { join } from "node:path";
import { Fault } from "../../core/fault/index.ts";
import { resolveAddress } from "../address.ts";
import { readIndex, type ChartIndex } from "../chart-index.ts";
import { fetchIndex, type Owner } from "../fetch.ts";
import type { Outside } from "../outside.ts";
import { chartsFileName, indexFileName } from "../places.ts";
import { removeFile, replaceFile, textIn } from "./file.ts";

/** Fetches the index of a repository and reads it: one that cannot be read is not kept. */
export async function downloadIndex(owner: Owner, outside: Outside): Promise<{ readonly text: string; readonly index: ChartIndex }> {
  const text = await fetchIndex(resolveAddress(owner.url, "index.yaml"), owner, outside);
  return { text, index: readIndex(text, owner.url, outside.warn) };
}

/** Fetches the index of a repository and keeps it under the repository's name. */
export async function refreshIndex(owner: Owner & { readonly name: string }, outside: Outside): Promise<ChartIndex> {
  const { text, index } = await downloadIndex(owner, outside);
  const { repositoryCache } = outside.places;
  replaceFile(join(repositoryCache, chartsFileName(owner.name)), [...index.keys()].map((name) => `${name}\n`).join(""), 0o644);
  replaceFile(join(repositoryCache, indexFileName(owner.name)), text, 0o644);
  return index;
}

/** The index that is kept of a repository. */
export function cachedIndex(name: string, { places, warn }: Outside): ChartIndex {
  const file = join(places.repositoryCache, indexFileName(name));
  const text = textIn(file);
  if (text === undefined) throw new Fault(`open ${file}: no such file or directory`, undefined, { final: true });
  try {
    return readIndex(text, file, warn);
  } catch (error) {
    throw new Fault(`error loading ${file}`, error, { final: true });
  }
}

export function forgetIndex(name: string, { places }: Outside): void {
  removeFile(join(places.repositoryCache, chartsFileName(name)));
  removeFile(join(places.repositoryCache, indexFileName(name)));
}
