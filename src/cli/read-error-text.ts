import { codeOf } from "./private-file.ts";

/** What the user can do about a file that cannot be read. */
type ReadRemedies = { readonly missing: string; readonly folder: string; readonly denied: string };

/** Why a file cannot be read, and what the user can do about it. */
export function readErrorText(error: unknown, { missing, folder, denied }: ReadRemedies): string {
  const code = codeOf(error);
  if (code === "ENOENT" || code === "ENOTDIR") return `there is no such file: ${missing}`;
  if (code === "EISDIR") return `it is a folder: ${folder}`;
  if (code === "EACCES" || code === "EPERM") return `it may not be read (${String(code)}): ${denied}`;
  return error instanceof Error ? error.message : String(error);
}
