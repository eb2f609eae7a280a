import { mkdirSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Fault } from "../../core/fault/index.ts";
import { readFileBytes, writeFileAtomic } from "../../core/file/index.ts";

/** Replaces a file atomically. Creates its folder if necessary. */
export function replaceFile(file: string, content: string | Uint8Array, mode: number): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
    writeFileAtomic(file, content, { mode });
  } catch (error) {
    throw new Fault(`write ${file}`, error, { final: true });
  }
}

/** The content of a file. Undefined when it does not exist. */
export function readFileIfExists(file: string): Buffer | undefined {
  try {
    return readFileBytes(file);
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT" || errorCodeOf(error) === "ENOTDIR") return undefined;
    throw new Fault(`read ${file}`, error, { final: true });
  }
}

export function readTextIfExists(file: string): string | undefined {
  return readFileIfExists(file)?.toString("utf8");
}

/** The type of a path, with links resolved. */
export function pathTypeOf(path: string): "folder" | "file" | "nothing" {
  try {
    return statSync(path).isDirectory() ? "folder" : "file";
  } catch {
    return "nothing";
  }
}

export function removeFile(file: string): void {
  rmSync(file, { force: true });
}

export function errorCodeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
