import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";

type WriteFileOptions = {
  /** The permissions of the file, from its creation on. The umask applies. */
  readonly mode: number;
  /** Flush the content to disk before the file is replaced. Default true. */
  readonly fsync?: boolean;
};

let written = 0;
/** More leftovers of killed processes than that are not expected beside one file. */
const maxAttempts = 100;

/**
 * Replaces a file in one step, or leaves it as it was: writes the content to a new file beside it and renames that. A link is
 * replaced and not followed. Synchronous, so that it can run under a file lock.
 */
export function writeFileAtomic(file: string, content: string | Uint8Array, { mode, fsync = true }: WriteFileOptions): void {
  const { handle, path } = createBeside(file, mode);
  try {
    try {
      writeFileSync(handle, content);
      if (fsync) fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(path, file);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

/** In a container the process id is the same in every run, so a killed run may have left a file with any of these names. */
function createBeside(file: string, mode: number): { readonly handle: number; readonly path: string } {
  for (let attempt = 1; ; attempt++) {
    const path = `${file}.${process.pid}-${++written}.new`;
    try {
      return { handle: openSync(path, "wx", mode), path };
    } catch (error) {
      const exists = error instanceof Error && "code" in error && error.code === "EEXIST";
      if (!exists || attempt === maxAttempts) throw error;
    }
  }
}
