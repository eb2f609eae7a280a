import { Fault } from "../core/fault/index.ts";
import { chooseVersion } from "./choose-version.ts";
import { loadIndex, type ChartVersion } from "./index-file.ts";

/** A version of a chart that is looked for in the index of a repository, as it was fetched. `source` names it in warnings. */
export type IndexSearch = { readonly index: Uint8Array; readonly source: string; readonly name: string; readonly version: string };

/** The version that was found; undefined when there is none. */
export type IndexSearchResult = { readonly chart: ChartVersion | undefined; readonly warnings: readonly string[] };

/** An index may have as many invalid entries as it has lines. */
const maxWarnings = 100;

/** Finds a version of a chart in an index. Throws a Fault when the index is invalid. */
export function searchIndex({ index, source, name, version }: IndexSearch): IndexSearchResult {
  const warnings: string[] = [];
  let count = 0;
  const warn = (line: string) => {
    if (++count <= maxWarnings) warnings.push(line);
  };
  const read = loadIndex(Buffer.from(index.buffer, index.byteOffset, index.byteLength).toString("utf8"), source, warn);
  if (count > maxWarnings) warnings.push(`${count - maxWarnings} more invalid entries are in ${source}`);
  try {
    return { chart: chooseVersion(read, name, version, (line) => void warnings.push(line)), warnings };
  } catch (error) {
    if (error instanceof Fault) return { chart: undefined, warnings };
    throw error;
  }
}
