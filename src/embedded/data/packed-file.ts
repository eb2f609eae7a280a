import { existsSync, openSync, closeSync, readFileSync, readSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";

/** Beside this file in the sources; in `data/` beside the bundle that contains this file. */
const folders = ["./", "./data/"];

function urlOf(name: string): URL {
  const found = folders.map((folder) => new URL(folder + name, import.meta.url)).find((url) => existsSync(url));
  if (found === undefined) throw new Error(`read the API data: ${name} is neither at ${folders.join(" nor at ")} from ${import.meta.url}`);
  return found;
}

/** The text of a packed file, all ASCII or UTF-8. */
export function readPacked(name: string): string {
  return brotliDecompressSync(readFileSync(urlOf(name))).toString();
}

/** The unpacked bytes of one part of a file that holds several. */
export function readPart(name: string, offset: number, length: number): Buffer {
  const file = openSync(urlOf(name), "r");
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
