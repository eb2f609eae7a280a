import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { loadArchive, unpackArchive } from "../../chart/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { pathTypeOf, replaceFile } from "./file.ts";

/** Writes an archive to a folder, and returns its path. */
export function saveArchive(folder: string, name: string, bytes: Uint8Array): string {
  if (name === "" || name === "." || name === ".." || name !== basename(name))
    throw new Fault(`save the chart: ${JSON.stringify(name)} is no name for a file`, undefined, { final: true });
  if (pathTypeOf(folder) !== "folder")
    throw new Fault(`save ${name}: there is no folder ${folder}: make it first`, undefined, { final: true });
  const path = join(folder, name);
  replaceFile(path, bytes, 0o644);
  return path;
}

/** Unpacks a chart into a folder of its name, all or nothing, and returns its path. */
export function saveUnpacked(folder: string, bytes: Uint8Array): string {
  const { metadata } = loadArchive(bytes);
  const target = join(folder, metadata.name);
  if (pathTypeOf(target) !== "nothing")
    throw new Fault(`failed to untar: a file or directory with the name ${target} already exists`, undefined, { final: true });
  mkdirSync(folder, { recursive: true });
  const temporary = mkdtempSync(join(folder, ".sluice-untar-"));
  try {
    const made = join(temporary, metadata.name);
    for (const { name, data } of unpackArchive(bytes)) {
      const file = join(made, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, data, { mode: 0o644 });
    }
    renameSync(made, target);
    return target;
  } catch (error) {
    throw new Fault(`failed to untar into ${target}`, error, { final: true });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
