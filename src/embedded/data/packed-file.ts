import { existsSync, openSync, closeSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { getRawAsset, isSea } from "node:sea";
import { brotliDecompressSync } from "node:zlib";

/** Beside this file in the sources; in `data/` beside the bundle that contains this file. */
const folders = [import.meta.dirname, join(import.meta.dirname, "data")];

function pathOf(name: string): string {
  const found = folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
  if (found === undefined) throw new Error(`read the API data: ${name} is neither in ${folders.join(" nor in ")}: install Sluice anew`);
  return found;
}

/** A file inside of the executable. */
function readAsset(name: string): Buffer {
  return Buffer.from(getRawAsset(`data/${name}`));
}

/** The text of a packed file, all ASCII or UTF-8. */
export function readPacked(name: string): string {
  return brotliDecompressSync(isSea() ? readAsset(name) : readFileSync(pathOf(name))).toString();
}

/** The unpacked bytes of one part of a file that holds several. */
export function readPart(name: string, offset: number, length: number): Buffer {
  if (isSea()) return brotliDecompressSync(readAsset(name).subarray(offset, offset + length));
  const file = openSync(pathOf(name), "r");
  try {
    const part = Buffer.alloc(length);
    readSync(file, part, 0, length, offset);
    return brotliDecompressSync(part);
  } finally {
    closeSync(file);
  }
}

/** The lines of an indexed file: its index, and the JSON of each entry by name. */
export function readEntries(name: string): { index: unknown; pieces: Map<string, string> } {
  const [head = "{}", ...lines] = readPacked(name).split("\n");
  const entries = new Map<string, string>();
  for (const line of lines) {
    const space = line.indexOf(" ");
    entries.set(line.slice(0, space), line.slice(space + 1));
  }
  return { index: JSON.parse(head), pieces: entries };
}

/** Runs the work on the first call, and caches its result. */
export function once<T>(work: () => T): () => T {
  let done: { readonly value: T } | undefined;
  return () => (done ??= { value: work() }).value;
}
