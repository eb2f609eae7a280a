import { lstatSync, mkdirSync, readdirSync, readlinkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { loadArchive, type Chart } from "../../chart/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { quote } from "../../lang/template/index.ts";
import { errorCodeOf, readFileIfExists, pathTypeOf, removeFile, replaceFile } from "./file.ts";

/** The `charts/` of a chart's folder. Downloads are staged beside it and moved into it all at once. */
export class ChartsFolder {
  readonly #folder: string;
  readonly #charts: string;
  readonly #staging: string;
  readonly #names = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
    this.#charts = join(folder, "charts");
    this.#staging = join(folder, `tmpcharts-${process.pid}`);
    if (pathTypeOf(this.#charts) === "file") throw refusal(`${quote(this.#charts)} is not a directory`);
  }

  /** The path of an unpacked chart in it. */
  unpacked(name: string): string {
    return join(this.#charts, name);
  }

  /** Stages a chart. An invalid archive is refused here, before anything changes. */
  stage(name: string, bytes: Uint8Array): void {
    if (name === "" || name !== basename(name) || name === "." || name === "..") throw refusal(`${quote(name)} is no name for a file`);
    loadArchive(bytes);
    mkdirSync(this.#staging, { recursive: true });
    writeFileSync(join(this.#staging, name), bytes);
    this.#names.add(name);
  }

  /** Moves the staged charts into `charts/`. */
  install(): void {
    mkdirSync(this.#charts, { recursive: true });
    for (const name of this.#names) renameSync(join(this.#staging, name), join(this.#charts, name));
  }

  /** Removes packed charts that are no longer listed, except for those that come from `charts/` itself. */
  removeOutdated(unpackedNames: ReadonlySet<string>, report: (line: string) => void): void {
    for (const entry of readdirSync(this.#charts, { withFileTypes: true })) {
      if (entry.isDirectory() || this.#names.has(entry.name)) continue;
      const file = join(this.#charts, entry.name);
      const chart = chartIn(file);
      if (chart instanceof Error) report(`Could not verify ${file} for deletion: ${chart.message} (Skipping)`);
      else if (!unpackedNames.has(chart.metadata.name)) removeFile(file);
    }
  }

  /** Removes the staging folder. */
  cleanUp(): void {
    rmSync(this.#staging, { recursive: true, force: true });
  }

  writeLock(name: string, text: string): void {
    const file = join(this.#folder, name);
    const target = linkAt(file);
    if (target !== undefined) throw refusal(`the ${name} file is a symlink to ${quote(target)}`);
    replaceFile(file, text, 0o644);
  }
}

/** The paths of the packed charts and folders in `charts/`. */
export function chartsIn(folder: string): readonly string[] {
  const charts = join(folder, "charts");
  if (pathTypeOf(charts) !== "folder") return [];
  return readdirSync(charts)
    .toSorted()
    .map((name) => join(charts, name));
}

function chartIn(file: string): Chart | Error {
  try {
    return loadArchive(readFileIfExists(file) ?? new Uint8Array());
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function linkAt(file: string): string | undefined {
  try {
    return lstatSync(file).isSymbolicLink() ? readlinkSync(file) : undefined;
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT") return undefined;
    throw new Fault(`error getting info for ${quote(file)}`, error, { final: true });
  }
}

function refusal(because: string): Fault {
  return new Fault(because, undefined, { final: true });
}
