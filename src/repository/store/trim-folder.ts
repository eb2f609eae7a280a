import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** Removes the oldest files in a folder and below until the others have at most `maxBytes`. A folder that is missing is empty. */
export function trimFolder(folder: string, maxBytes: number): void {
  const files = filesBelow(folder).toSorted((a, b) => b.modifiedAt - a.modifiedAt);
  let total = 0;
  for (const { path, size } of files) {
    total += size;
    if (total > maxBytes) rmSync(path, { force: true });
  }
}

function filesBelow(folder: string): readonly { readonly path: string; readonly size: number; readonly modifiedAt: number }[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    // Another process may have removed it meanwhile.
    const found = entry.isFile() ? statSync(path, { throwIfNoEntry: false }) : undefined;
    return found === undefined ? [] : [{ path, size: found.size, modifiedAt: found.mtimeMs }];
  });
}
