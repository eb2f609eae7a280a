import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Writes a file for its owner's eyes only, from the first moment on. What was there is replaced in one step, or stays as it
 * was.
 */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.${randomUUID().slice(0, 8)}.new`;
  const handle = await open(temporary, "wx", 0o600);
  try {
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Why a file cannot be written, in words a person can act on. */
export function writeErrorText(error: unknown, file: string): string {
  const code = codeOf(error);
  if (code === "ENOENT" || code === "ENOTDIR") return `there is no folder ${dirname(file)}: make it first`;
  if (code === "EISDIR") return "it is a folder: name a file in it";
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return `it may not be written (${code}): name a file that you may write`;
  return error instanceof Error ? error.message : String(error);
}

/** The code of a system error. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
