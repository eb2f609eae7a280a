import { closeSync, fsyncSync, openSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../core/fault/index.ts";

/**
 * The files of a log. A snapshot holds what all logs before the one of its number have brought about; what comes after it is in
 * the logs from its number on.
 */
export type LogFiles = { readonly snapshot: number | undefined; readonly logs: readonly number[] };

const pattern = /^(snapshot|log)-(\d{1,15})$/;

export function snapshotPath(folder: string, number: number): string {
  return join(folder, `snapshot-${number}`);
}

export function logPath(folder: string, number: number): string {
  return join(folder, `log-${number}`);
}

/** The files that count. Those that a newer snapshot stands for, and those that were never finished, are removed. */
export function settleLogFiles(folder: string): LogFiles {
  const found = readdirSync(folder).flatMap((name) => {
    const [, kind, number] = pattern.exec(name) ?? [];
    if (name.startsWith("snapshot-") && name.endsWith(".new")) rmSync(join(folder, name));
    return kind === undefined ? [] : [{ name, kind, number: Number(number) }];
  });
  const snapshots = found.filter(({ kind }) => kind === "snapshot").map(({ number }) => number);
  const snapshot = snapshots.length === 0 ? undefined : Math.max(...snapshots);
  // Without a snapshot nothing has been answered yet.
  const old = found.filter(({ number }) => snapshot === undefined || number < snapshot);
  for (const { name } of old) rmSync(join(folder, name));
  const logs = found.filter((file) => file.kind === "log" && !old.includes(file)).map(({ number }) => number);
  const sorted = logs.toSorted((a, b) => a - b);
  const missing = sorted.findIndex((number, at) => number !== (snapshot ?? 0) + at);
  if (missing >= 0) {
    const absent = logPath(folder, (snapshot ?? 0) + missing);
    throw new Fault(`read ${folder}`, `${absent} is missing, and ${logPath(folder, sorted[missing]!)} continues it: put it back`, {
      final: true,
    });
  }
  return { snapshot, logs: sorted };
}

/** Makes the names in a folder outlive a power cut. Windows has no such call. */
export function syncFolder(folder: string): void {
  if (process.platform !== "win32") syncPath(folder, "r");
}

/** Makes a file of an earlier run outlive a power cut. */
export function syncFile(path: string): void {
  syncPath(path, "r+");
}

function syncPath(path: string, mode: "r" | "r+"): void {
  const handle = openSync(path, mode);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
