import { parseSnapshot, snapshotText, type Snapshot } from "../release/rehearse/index.ts";
import { readSavedFile, saveFile } from "./saved-file.ts";

const kind = { what: "the snapshot", command: "sluice rehearse --save-snapshot", remedy: "take one with" };

/** Saves a snapshot, in which nothing is left to conceal. */
export function saveSnapshot(file: string, snapshot: Snapshot): Promise<void> {
  return saveFile(kind, file, snapshotText(snapshot));
}

/** Reads a snapshot that `saveSnapshot` wrote, and refuses anything else. */
export async function readSnapshotFile(file: string): Promise<Snapshot> {
  return parseSnapshot(await readSavedFile(kind, file), file);
}
