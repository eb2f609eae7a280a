import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Entry } from "./write-tar.ts";

/** The files below a folder, in the order of their names, each with its name from there on behind a prefix. */
export function readFolder(folder: string, prefix: string): readonly (Entry & { readonly data: Uint8Array })[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = found.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).toSorted();
  return names.map((name) => {
    const isProgram = (statSync(join(folder, name)).mode & 0o100) !== 0;
    return { name: prefix + name, data: readFileSync(join(folder, name)), mode: isProgram ? 0o755 : 0o644 };
  });
}
