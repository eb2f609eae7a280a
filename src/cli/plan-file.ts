import { readFile } from "node:fs/promises";
import { Fault } from "../core/fault/index.ts";
import { parseSavedPlan, savedPlanText, type SavedPlan } from "../release/deploy/index.ts";
import { codeOf, writePrivateFile, writeErrorText } from "./private-file.ts";

/** Saves a plan to a file that only its owner can read: it contains every secret of the release. */
export async function savePlan(file: string, saved: SavedPlan): Promise<void> {
  try {
    await writePrivateFile(file, savedPlanText(saved));
  } catch (error) {
    throw new Fault(`save the plan to ${file}`, writeErrorText(error, file), { final: true });
  }
}

/** Reads a plan that `savePlan` wrote, and refuses anything else. */
export async function readPlan(file: string): Promise<SavedPlan> {
  return parseSavedPlan(await textOf(file), file);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new Fault(`use the plan ${file}`, readErrorText(error), { final: true });
  }
}

function readErrorText(error: unknown): string {
  const code = codeOf(error);
  if (code === "ENOENT" || code === "ENOTDIR") return "there is no such file: draw it up with sluice plan --save";
  if (code === "EISDIR") return "it is a folder: name the file that sluice plan --save wrote";
  if (code === "EACCES" || code === "EPERM") return `it may not be read (${code}): its owner alone can use it`;
  return error instanceof Error ? error.message : String(error);
}
