import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isProcessAlive } from "./build-lock.ts";

const prefix = "sluice-cluster-";

/** Creates a folder for this process. The caller removes it. */
export function makeTemporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
}

/** Removes the folders of processes that were killed. */
export function removeStaleFolders(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const pid = Number(name.slice(prefix.length).split("-")[0]);
    if (Number.isInteger(pid) && !isProcessAlive(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}
