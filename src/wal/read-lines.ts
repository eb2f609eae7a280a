import { closeSync, openSync, readSync } from "node:fs";

const lineFeed = 0x0a;
const chunkBytes = 1024 * 1024;

/** A line of a file without its line feed. `whole`: it had one. */
type FileLine = { readonly bytes: Buffer; readonly offset: number; readonly whole: boolean };

/** Reads a file line by line. A line is valid until the next one is read. */
export function* readLines(path: string): Generator<FileLine> {
  const handle = openSync(path, "r");
  try {
    let rest: Buffer = Buffer.alloc(0);
    let offset = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const count = readSync(handle, chunk);
      if (count === 0) break;
      rest = rest.length === 0 ? chunk.subarray(0, count) : Buffer.concat([rest, chunk.subarray(0, count)]);
      for (let end = rest.indexOf(lineFeed); end >= 0; end = rest.indexOf(lineFeed)) {
        yield { bytes: rest.subarray(0, end), offset, whole: true };
        rest = rest.subarray(end + 1);
        offset += end + 1;
      }
    }
    if (rest.length > 0) yield { bytes: rest, offset, whole: false };
  } finally {
    closeSync(handle);
  }
}
