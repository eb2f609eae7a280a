import { chmodSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../core/fault/index.ts";
import { ClusterData } from "../../embedded/index.ts";
import { lockFolder, WriteAheadLog } from "../../wal/index.ts";
import { codeOf, writeErrorText } from "../private-file.ts";
import { processIdentity } from "../process-identity.ts";
import { identityFile, readIdentity, type ClusterIdentity } from "./cluster-identity.ts";

/** An open folder with the data of one cluster. */
export type DataFolder = {
  readonly identity: ClusterIdentity;
  readonly data: ClusterData;
  /** What the user should know: a record that was not written to its end. */
  readonly warning: string | undefined;
  /** Resolves when the disk has failed. */
  readonly failed: Promise<Fault>;
  /** Writes everything to the disk and lets other processes in. */
  readonly close: () => Promise<void>;
};

/** Opens the folder of a cluster, or makes it. `name` is that of a new cluster; `now` is the machine's time. */
export async function openDataFolder(folder: string, options: { name: string; now: Date; fsync: boolean }): Promise<DataFolder> {
  prepareFolder(folder);
  const lock = await lockFolder(folder, processIdentity("cluster"));
  try {
    const identity = readIdentity(folder, options.name, options.now);
    const log = new WriteAheadLog(folder, { fsync: options.fsync });
    const data = new ClusterData(log);
    const close = async () => {
      await log.close();
      await lock.release();
    };
    return { identity, data, failed: log.failed, close, warning: warningOf(log) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function warningOf({ torn }: WriteAheadLog): string | undefined {
  if (torn === undefined) return undefined;
  return `${torn.path}: removed the last ${torn.bytes} bytes, from byte ${torn.offset} on: a write that was not finished, and not answered`;
}

/** What a process that was killed at its first start may have left. */
const leftover = /^lock-\d+$|^cluster\.json\..*\.new$/;

/** Only its owner may look into the folder: it holds keys and Secrets. */
function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const names = readdirSync(folder).filter((name) => !leftover.test(name));
    if (names.length > 0 && !names.includes(identityFile)) throw foreign(folder, names);
    chmodSync(folder, 0o700);
  } catch (error) {
    throw error instanceof Fault ? error : new Fault(`use ${folder}`, folderErrorText(error, folder), { final: true });
  }
}

/** The folder of each cluster: that folder itself, or one in it for each of several. */
export function dataFolders(folder: string, names: readonly string[]): readonly string[] {
  if (names.length === 1) return [folder];
  if (existsSync(join(folder, identityFile)))
    throw new Fault(`use ${folder}`, "it holds the data of one cluster: leave --clusters out, or name another folder", { final: true });
  return names.map((name) => join(folder, name));
}

function foreign(folder: string, names: readonly string[]): Fault {
  const several = names.filter((name) => /^sluice-\d+$/.test(name));
  const why =
    several.length > 0
      ? `it holds the data of ${several.length} clusters: use --clusters, or name one of them, such as ${join(folder, several[0]!)}`
      : `it holds other files, such as ${names.toSorted()[0]}: name a folder that is empty or does not exist yet`;
  return new Fault(`use ${folder}`, why, { final: true });
}

function folderErrorText(error: unknown, folder: string): string {
  const code = codeOf(error);
  return code === "EEXIST" || code === "ENOTDIR" ? "it is a file, or below one: name a folder" : writeErrorText(error, folder);
}
