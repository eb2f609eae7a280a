import { posix } from "node:path";
import { gunzipSync } from "node:zlib";
import { Fault } from "../core/fault/index.ts";
import { quote } from "../lang/template/index.ts";
import { maxChartBytes, maxFileBytes, withoutByteOrderMark, type ChartFile } from "./chart-file.ts";
import { readTar } from "./tar.ts";

/** How many bytes a chart and the archives in it may still unpack to. Helm allows each archive 100 MiB, and there may be many. */
export type UnpackAllowance = { bytes: number };

/**
 * Reads the files of a packed chart, with their paths below its one folder. The archive may come from anybody, so paths
 * that lead out of that folder and archives that unpack without end are refused. Models helm pkg/chart/loader/archive
 * LoadArchiveFiles
 */
export function unpackArchive(archive: Uint8Array, allowance: UnpackAllowance = { bytes: maxChartBytes }): readonly ChartFile[] {
  const files: ChartFile[] = [];
  const content = unzipped(archive, allowance.bytes);
  allowance.bytes -= content.length;
  for (const { name, size, data, isRegular } of readTar(content)) {
    const path = insideName(name);
    if (size > maxFileBytes) throw refusal(`decompressed chart file ${quote(name)} is larger than the maximum file size ${maxFileBytes}`);
    // A link has no content. Helm loads it as an empty file, so nothing is ever read through it.
    files.push({ name: path, data: isRegular ? withoutByteOrderMark(data) : new Uint8Array() });
  }
  if (files.length === 0) throw refusal("no files in chart archive");
  return files;
}

/** The error that Go gives for fewer bytes than a gzip header has, by their number. */
const tooShort = ["EOF", ...Array.from({ length: 9 }, () => "unexpected EOF")];

function unzipped(archive: Uint8Array, most: number): Uint8Array {
  if (archive[0] !== 0x1f || archive[1] !== 0x8b) throw refusal(tooShort[archive.length] ?? "gzip: invalid header");
  // No chart compresses this well. An archive that does is rejected by the size it states, without unpacking all of it.
  const suspicious = Math.min(most, Math.max(archive.length * 200, 16 * 2 ** 20));
  const content = inflated(archive, suspicious);
  if (content !== undefined) return content;
  if (suspicious === most || statedSize(archive) > most) throw tooLarge(most);
  const whole = inflated(archive, most);
  if (whole === undefined) throw tooLarge(most);
  return whole;
}

/** Inflates an archive. Undefined when the content is larger than `most`. */
function inflated(archive: Uint8Array, most: number): Uint8Array | undefined {
  try {
    return gunzipSync(archive, { maxOutputLength: most });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ERR_BUFFER_TOO_LARGE") return undefined;
    if (code === "Z_BUF_ERROR") throw refusal("unexpected EOF");
    throw refusal(`gzip: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Reads the uncompressed size from the last four bytes of a gzip file. */
function statedSize(archive: Uint8Array): number {
  return Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength).readUInt32LE(Math.max(0, archive.length - 4));
}

function tooLarge(most: number): Fault {
  if (most === maxChartBytes) return refusal(`decompressed chart is larger than the maximum size ${maxChartBytes}`);
  return refusal(`decompressed, this chart with those around and beside it is larger than the maximum size ${maxChartBytes}`);
}

/** The path of an archive's file inside the chart: everything below the first folder. Paths outside of it are refused. */
function insideName(name: string): string {
  const delimiter = name.includes("\\") ? "\\" : "/";
  const [first, ...rest] = name.split(delimiter);
  const joined = rest.join("/");
  if (posix.isAbsolute(joined)) throw refusal("chart illegally contains absolute paths");
  const path = posix.normalize(joined === "" ? "." : joined);
  if (path === ".") throw refusal(`chart illegally contains content outside the base directory: ${quote(name)}`);
  if (path.startsWith("..")) throw refusal("chart illegally references parent directory");
  if (/^[a-zA-Z]:\//.test(path)) throw refusal("chart contains illegally named files");
  if (first === "Chart.yaml") throw refusal("chart yaml not in base directory");
  return path;
}

function refusal(because: string): Fault {
  return new Fault(because, undefined, { final: true });
}
