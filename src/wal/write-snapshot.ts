import { open, rename, rm, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { writeFileAtomic } from "../core/file/index.ts";
import { syncFolder } from "./log-files.ts";
import { encodeLine } from "./record-line.ts";

const chunkBytes = 256 * 1024;

/** Writes a snapshot at once. */
export function writeSnapshotNow(path: string, header: string, records: Iterable<string>): number {
  const content = Buffer.concat([...snapshotLines(header, records)]);
  writeFileAtomic(path, content, { mode: 0o600 });
  syncFolder(dirname(path));
  return content.length;
}

/** Writes a snapshot part by part, while the process does other things. It has its name when it is complete and on the disk. */
export async function writeSnapshot(path: string, header: string, records: Iterable<string>, signal: AbortSignal): Promise<number> {
  const unfinished = `${path}.new`;
  let length = 0;
  try {
    const handle = await open(unfinished, "w", 0o600);
    try {
      for (const chunk of chunksOf(snapshotLines(header, records))) {
        signal.throwIfAborted();
        await writeAll(handle, chunk);
        length += chunk.length;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    signal.throwIfAborted();
    await rename(unfinished, path);
    syncFolder(dirname(path));
    return length;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function writeAll(handle: FileHandle, chunk: Buffer): Promise<void> {
  for (let written = 0; written < chunk.length;) written += (await handle.write(chunk, written)).bytesWritten;
}

function* snapshotLines(header: string, records: Iterable<string>): Generator<Buffer> {
  let count = 0;
  yield encodeLine("header", header);
  for (const record of records) {
    yield encodeLine("record", record);
    count++;
  }
  yield encodeLine("end", String(count));
}

function* chunksOf(lines: Iterable<Buffer>): Generator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  for (const line of lines) {
    waiting.push(line);
    length += line.length;
    if (length < chunkBytes) continue;
    yield Buffer.concat(waiting);
    [waiting, length] = [[], 0];
  }
  yield Buffer.concat(waiting);
}
