import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../core/fault/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { load } from "../../release/load/index.ts";
import { sourceReaders } from "../source-readers.ts";

/** The manifests of an example, as kubectl applies its folder: what lies deeper is left out. */
export async function readExample(name: string, signal: AbortSignal): Promise<readonly KubeObject[]> {
  const files = globSync(join(folderOf(name), "*.yaml")).toSorted();
  return (await load(files, sourceReaders, { signal })).map(({ object }) => object);
}

/** The examples lie beside `dist`, and beside `src`. */
function folderOf(name: string): string {
  const places = [join(import.meta.dirname, "..", "examples", name), join(import.meta.dirname, "..", "..", "..", "examples", name)];
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw new Fault(`find examples/${name}`, "it is not beside the program: run the demo from a clone of Sluice", { final: true });
}
