import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../core/fault/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { load } from "../../release/load/index.ts";
import { sourceReaders } from "../source-readers.ts";

/** Reads the manifests of an example. Like `kubectl apply -f`, it leaves out subfolders. */
export async function readExample(name: string, signal: AbortSignal): Promise<readonly KubeObject[]> {
  const files = globSync(join(folderOf(name), "*.yaml")).toSorted();
  return (await load(files, sourceReaders, { signal })).map(({ object }) => object);
}

/** The examples are beside `dist` in the package, and beside `src` in the repository. */
function folderOf(name: string): string {
  const places = [join(import.meta.dirname, "..", "examples", name), join(import.meta.dirname, "..", "..", "..", "examples", name)];
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw new Fault(`find examples/${name}`, "it is not beside the program: run the demo from a clone of Sluice", { final: true });
}
