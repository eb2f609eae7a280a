import { dirname } from "node:path";
import { writeFileAtomic } from "../core/file/index.ts";

/** Writes a file that only its owner can read, from its creation on. Replaces an existing file atomically. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  writeFileAtomic(file, text, { mode: 0o600 });
}

/** Why a file cannot be written, and what the user can do about it. */
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
