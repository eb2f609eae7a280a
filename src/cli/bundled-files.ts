import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { getAssetKeys, getRawAsset, isSea } from "node:sea";

/** A file that comes with the program. */
type BundledFile = { readonly name: string; readonly data: Uint8Array };

/** Beside the bundle that this file becomes a part of; from source, in the root of the project. */
const places = [import.meta.dirname, join(import.meta.dirname, "..", "..")];

/** A file that comes with the program: out of the executable if it is one, else from beside it. */
function readBundledFile(name: string): Uint8Array | undefined {
  if (isSea()) return getAssetKeys().includes(name) ? new Uint8Array(getRawAsset(name)) : undefined;
  const found = places.map((place) => join(place, name)).find((file) => existsSync(file));
  return found === undefined ? undefined : readFileSync(found);
}

/** All files of a folder that comes with the program, named from there on, in the order of their names; none if there is no such folder. */
export function readBundledFolder(name: string): readonly BundledFile[] {
  const files = isSea() ? namesInside(`${name}/`) : namesIn(name);
  return files.toSorted().map((file) => ({ name: file, data: readBundledFile(`${name}/${file}`) ?? new Uint8Array() }));
}

function namesInside(prefix: string): readonly string[] {
  return getAssetKeys().flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
}

function namesIn(folder: string): readonly string[] {
  const found = places.map((place) => join(place, folder)).find((path) => existsSync(path));
  if (found === undefined) return [];
  const entries = readdirSync(found, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(found.length + 1));
}
