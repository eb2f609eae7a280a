import { parseSavedPlan, savedPlanText, type SavedPlan } from "../release/deploy/index.ts";
import { readSavedFile, saveFile } from "./saved-file.ts";

const kind = { what: "the plan", command: "sluice plan --save", remedy: "draw it up with" };

/** Saves a plan to a file that only its owner can read: it contains every secret of the release. */
export function savePlan(file: string, saved: SavedPlan): Promise<void> {
  return saveFile(kind, file, savedPlanText(saved));
}

/** Reads a plan that `savePlan` wrote, and refuses anything else. */
export async function readPlan(file: string): Promise<SavedPlan> {
  return parseSavedPlan(await readSavedFile(kind, file), file);
}
