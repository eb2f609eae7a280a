import type { Body, Chunk } from "../core/exchange/index.ts";

/** Implemented by bodies that can be read as a whole faster than chunk by chunk. */
export const readWhole = Symbol("gather");

type WholeReadable = { [readWhole](): Promise<Uint8Array> };

/** The whole body as text. */
export function readText(body: Body): Promise<string> | string {
  if (isBuffered(body)) return decodeChunks(body);
  if (canReadWhole(body)) return body[readWhole]().then(decode);
  return collect(body).then(decodeChunks);
}

/** The whole body as bytes. */
export async function readBytes(body: Body): Promise<Uint8Array> {
  if (canReadWhole(body)) return body[readWhole]();
  return Buffer.concat((await collect(body)).map(bytesOf));
}

async function collect(body: Body): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return chunks;
}

/** Decodes chunks that may end inside a character. */
export function decodeChunks(chunks: readonly Chunk[]): string {
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return typeof only === "string" ? only : decode(only);
  if (chunks.every((chunk) => typeof chunk === "string")) return chunks.join("");
  return decode(Buffer.concat(chunks.map(bytesOf)));
}

export function bytesOf(chunk: Chunk): Buffer {
  if (typeof chunk === "string") return Buffer.from(chunk, "utf8");
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

function decode(bytes: Uint8Array): string {
  return bytesOf(bytes).toString("utf8");
}

/** The chunks of a body. */
export async function* bodyChunks(body: Body): AsyncGenerator<Chunk> {
  yield* body;
}

function isBuffered(body: Body): body is readonly Chunk[] {
  return Array.isArray(body);
}

function canReadWhole(body: object): body is WholeReadable {
  return readWhole in body;
}
