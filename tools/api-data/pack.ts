import { brotliCompressSync, constants } from "node:zlib";

/** Compresses as much as possible: data is packed once and read often. */
export function pack(bytes: string | Buffer): Buffer {
  const size = Buffer.byteLength(bytes);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: size,
  };
  return brotliCompressSync(bytes, { params });
}
