import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
  type Dirent,
  type Stats,
} from "node:fs";
import { join, resolve } from "node:path";
import {
  fileText,
  loadArchive,
  loadChart,
  maxFileBytes,
  parseHelmIgnore,
  withoutByteOrderMark,
  type Chart,
  type ChartFile,
  type IgnoreRules,
  type Warn,
} from "../../chart/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { readFileBytes } from "../../core/file/index.ts";
import { compareGoStrings, quote } from "../../lang/template/index.ts";
import { brokenLink } from "./broken-link.ts";
import { LinkBoundary } from "./link-boundary.ts";

/** Loads a chart from a folder or an archive. Models helm pkg/chart/v2/loader Load */
export function loadChartAt(path: string, warn?: Warn): Chart {
  const found = statAt(path);
  if (found.isDirectory()) return loadChart(readChartFolder(path), warn);
  if (!found.isFile()) throw irregular(path);
  return loadArchive(readPacked(path), warn);
}

/**
 * The files of a chart folder, sorted by name. Follows symlinks and leaves out what `.helmignore` matches. Models helm
 * pkg/chart/v2/loader LoadDir
 */
export function readChartFolder(folder: string): readonly ChartFile[] {
  const top = resolve(folder);
  const files: ChartFile[] = [];
  const boundary = new LinkBoundary(top);
  const walk = new Walk(parseHelmIgnore(ignoreFileIn(top, boundary)), boundary, files);
  walk.folder(top, "", [realpathSync(top)]);
  return files;
}

function ignoreFileIn(top: string, boundary: LinkBoundary): string {
  const path = join(top, ".helmignore");
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.isSymbolicLink() && statSync(path, { throwIfNoEntry: false }) === undefined)) return "";
  if (found.isSymbolicLink()) boundary.check(path);
  return fileText(readAt(path, ".helmignore"));
}

class Walk {
  readonly #ignores: IgnoreRules;
  readonly #boundary: LinkBoundary;
  readonly #files: ChartFile[];

  constructor(ignores: IgnoreRules, boundary: LinkBoundary, files: ChartFile[]) {
    this.#ignores = ignores;
    this.#boundary = boundary;
    this.#files = files;
  }

  /** `linked` lists the symlink targets on this path: a link back to one of them is a loop. */
  folder(path: string, name: string, linked: readonly string[]): void {
    const entries = entriesOf(path).toSorted((one, other) => compareGoStrings(one.name, other.name));
    for (const entry of entries) this.#entry(entry, `${path}/${entry.name}`, name === "" ? entry.name : `${name}/${entry.name}`, linked);
  }

  #entry(entry: Dirent, path: string, name: string, linked: readonly string[]): void {
    const found = entry.isSymbolicLink() ? followed(path) : entry;
    if (this.#ignores(name, found.isDirectory())) return;
    if (!found.isDirectory() && !found.isFile()) throw irregular(path);
    if (entry.isSymbolicLink()) this.#boundary.check(path);
    if (found.isDirectory()) return this.folder(path, name, entry.isSymbolicLink() ? [...linked, targetOf(path, linked)] : linked);
    this.#files.push({ name, data: withoutByteOrderMark(readAt(path, name)) });
  }
}

function entriesOf(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    throw new Fault("error reading a chart folder", error, { final: true });
  }
}

function followed(path: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    const why = brokenLink(path);
    throw why === undefined
      ? new Fault(`error evaluating symlink ${path}`, error, { final: true })
      : refusal(`error evaluating symlink ${path}: ${why}`);
  }
}

function targetOf(link: string, linked: readonly string[]): string {
  const target = realpathSync(link);
  if (linked.includes(target)) throw refusal(`error evaluating symlink ${link}: too many links`);
  return target;
}

/** Most files fit into this buffer, which saves a stat. */
const firstBytes = Buffer.allocUnsafeSlow(2 ** 16);

function readAt(path: string, name: string): Uint8Array {
  const file = opened(path, name);
  try {
    if (!fstatSync(file).isFile()) throw irregular(path);
    const read = readSync(file, firstBytes, 0, firstBytes.length, 0);
    if (read < firstBytes.length) return Buffer.from(firstBytes.subarray(0, read));
    const { size } = fstatSync(file);
    if (size > maxFileBytes)
      throw refusal(`chart file ${quote(name.slice(name.lastIndexOf("/") + 1))} is larger than the maximum file size ${maxFileBytes}`);
    const data = Buffer.allocUnsafeSlow(size);
    return data.subarray(0, readSync(file, data, 0, size, 0));
  } finally {
    closeSync(file);
  }
}

function opened(path: string, name: string): number {
  try {
    // A FIFO that has taken the file's place meanwhile is not waited for.
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw new Fault(`error reading ${name}`, error);
  }
}

function irregular(path: string): Fault {
  return refusal(`cannot load irregular file ${path} as it has file mode type bits set`);
}

function statAt(path: string): Stats {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw refusal(`stat ${path}: no such file or directory`);
  return found;
}

/** Models helm pkg/chart/loader/archive EnsureArchive */
function readPacked(path: string): Uint8Array {
  const bytes = packedBytes(path);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8) return bytes;
  if (/\.ya?ml$/.test(path)) throw refusal(`file '${path}' seems to be a YAML file, but expected a gzipped archive`);
  throw refusal(`file '${path}' does not appear to be a gzipped archive; got '${contentType(bytes.subarray(0, 512))}'`);
}

function packedBytes(path: string): Uint8Array {
  try {
    return readFileBytes(path);
  } catch (error) {
    throw new Fault(`read chart ${path}`, error, { final: true });
  }
}

/** Models the last step of Go's http.DetectContentType: text or binary. */
function contentType(bytes: Uint8Array): string {
  const isBinary = bytes.some((byte) => byte <= 8 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f));
  return isBinary ? "application/octet-stream" : "text/plain; charset=utf-8";
}

function refusal(because: string): Fault {
  return new Fault(because, undefined, { final: true });
}
