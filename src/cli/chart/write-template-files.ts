import { mkdir, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { Fault } from "../../core/fault/index.ts";

/** Writes the files of a rendered chart below a folder, and reports the path of each. */
export async function writeTemplateFiles(
  folder: string,
  files: ReadonlyMap<string, string>,
  report: (line: string) => void,
): Promise<void> {
  for (const [file, text] of files) {
    const path = join(folder, file);
    if (leavesFolder(folder, path)) throw new Fault(`write ${path}`, `it is outside of ${folder}`, { final: true });
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    } catch (error) {
      throw new Fault(`write ${path}`, error, { final: true });
    }
    report(`wrote ${path}`);
  }
}

function leavesFolder(folder: string, path: string): boolean {
  const inside = relative(resolve(folder), resolve(path));
  return inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
}
