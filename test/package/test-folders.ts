import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { runProgram } from "../cluster/run-program.ts";

/** An empty folder for a file of tests, which goes when they are over. `make` makes one in it. */
type TestFolders = { readonly path: string; readonly make: (name: string) => string };

export function testFolders(): TestFolders {
  const path = mkdtempSync(join(tmpdir(), "sluice-packed-"));
  after(() => rmSync(path, { recursive: true, force: true }));
  const make = (name: string) => {
    mkdirSync(join(path, name), { recursive: true });
    return join(path, name);
  };
  return { path, make };
}

/** Unpacks an archive into a folder. */
export async function unpack(archive: string, folder: string): Promise<void> {
  const { code, err } = await runProgram("tar", ["-xf", archive, "-C", folder]);
  if (code !== 0) throw new Error(`unpack ${archive}: ${err.trim()}`);
}
