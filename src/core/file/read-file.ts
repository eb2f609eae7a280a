import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";

/** More is no file that somebody has written: text of this size does not fit into memory several times over. */
const maxFileBytes = 256 * 2 ** 20;
const chunkBytes = 2 ** 16;

/** The content of a file, a pipe or a device, which may have no end. Fails with EFBIG beyond 256 MiB. */
export function readFileBytes(path: string, maxBytes = maxFileBytes): Buffer {
  const file = openSync(path, "r");
  try {
    const content = new BoundedContent(maxBytes);
    const size = fstatSync(file).size;
    for (;;) {
      const chunk = Buffer.allocUnsafe(content.nextSize(size));
      const read = readSync(file, chunk);
      if (read === 0) return content.bytes();
      content.add(chunk.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
}

/** The same as text, and without blocking: a pipe that nobody writes to can be given up. */
export async function readTextFile(path: string, maxBytes = maxFileBytes): Promise<string> {
  const file = await open(path, "r");
  try {
    const content = new BoundedContent(maxBytes);
    const { size } = await file.stat();
    for (;;) {
      const chunk = Buffer.allocUnsafe(content.nextSize(size));
      const { bytesRead } = await file.read(chunk, 0, chunk.length);
      if (bytesRead === 0) return content.bytes().toString("utf8");
      content.add(chunk.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/** The text of a stream, such as standard input, with the same limit. */
export async function readTextStream(stream: AsyncIterable<Uint8Array>, maxBytes = maxFileBytes): Promise<string> {
  const content = new BoundedContent(maxBytes);
  for await (const chunk of stream) content.add(chunk);
  return content.bytes().toString("utf8");
}

/** What has been read so far. */
class BoundedContent {
  readonly #maxBytes: number;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** How much to read next: the rest of a file of a known size, and one byte that is not there. */
  nextSize(size: number): number {
    const left = Math.min(size, this.#maxBytes) - this.#length;
    return left > 0 ? left + 1 : chunkBytes;
  }

  add(chunk: Uint8Array): void {
    this.#length += chunk.length;
    if (this.#length > this.#maxBytes) throw new FileTooLarge(this.#maxBytes);
    this.#chunks.push(chunk);
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

class FileTooLarge extends Error {
  override readonly name = "FileTooLarge";
  readonly code = "EFBIG";

  constructor(maxBytes: number) {
    const limit = maxBytes < 2 ** 20 ? `${maxBytes} bytes` : `${maxBytes / 2 ** 20} MiB`;
    super(`it has more than ${limit}, which is the most that is read, or no end`);
  }
}
