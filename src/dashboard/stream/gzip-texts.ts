import { promisify } from "node:util";
import { constants, crc32, deflateRaw } from "node:zlib";

const deflate = promisify(deflateRaw) as (data: Uint8Array, options: object) => Promise<Uint8Array>;
/** Shorter texts are stored as they are: to compress them saves less than it costs. */
const minLength = 512;
const maxStored = 0xffff;
/** Magic, deflate, no flags, no time, no hint, unknown system. Models RFC 1952, 2.3 */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** An empty last block of fixed codes. */
const lastBlock = Buffer.from([0x03, 0x00]);

/**
 * Compresses a stream text by text, each so that the reader can have it at once. Every text is compressed by itself, and whole
 * blocks of deflate can be joined: a stream that waits keeps nothing but a checksum, where a compressor would keep a quarter of a MiB.
 */
export async function* gzipTexts(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let [checksum, length] = [0, 0];
  yield header;
  for await (const text of texts) {
    const data = Buffer.from(text);
    checksum = crc32(data, checksum);
    length = (length + data.length) >>> 0;
    yield data.length < minLength ? storedBlock(data) : await deflate(data, { finishFlush: constants.Z_SYNC_FLUSH });
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(length, 4);
  yield Buffer.concat([lastBlock, trailer]);
}

/** A block that is not compressed. Models RFC 1951, 3.2.4 */
function storedBlock(data: Uint8Array): Uint8Array {
  const head = Buffer.from([0, 0, 0, 0, 0]);
  head.writeUInt16LE(data.length, 1);
  head.writeUInt16LE(maxStored - data.length, 3);
  return Buffer.concat([head, data]);
}
