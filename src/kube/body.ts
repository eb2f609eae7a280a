import type { Body, Chunk } from "../core/exchange/index.ts";

/** A body that knows a quicker way to be read whole than piece by piece. */
export const gather = Symbol("gather");

type Gatherable = { [gather](): Promise<Uint8Array> };

/** The whole body as text. */
export function readText(body: Body): Promise<string> | string {
  if (isThere(body)) return textOf(body);
  if (canGather(body)) return body[gather]().then(decode);
  return collect(body).then(textOf);
}

/** The whole body as bytes. */
export async function readBytes(body: Body): Promise<Uint8Array> {
  if (canGather(body)) return body[gather]();
  return Buffer.concat((await collect(body)).map(bytesOf));
}

async function collect(body: Body): Promise<Chunk[]> {
  const pieces: Chunk[] = [];
  for await (const piece of body) pieces.push(piece);
  return pieces;
}

/** One text from pieces that may end inside a character. */
export function textOf(pieces: readonly Chunk[]): string {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return typeof only === "string" ? only : decode(only);
  if (pieces.every((piece) => typeof piece === "string")) return pieces.join("");
  return decode(Buffer.concat(pieces.map(bytesOf)));
}

export function bytesOf(piece: Chunk): Buffer {
  if (typeof piece === "string") return Buffer.from(piece, "utf8");
  return Buffer.isBuffer(piece) ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
}

function decode(bytes: Uint8Array): string {
  return bytesOf(bytes).toString("utf8");
}

/** The pieces of a body, whichever way it comes. */
export async function* piecesOf(body: Body): AsyncGenerator<Chunk> {
  yield* body;
}

export function isThere(body: Body): body is readonly Chunk[] {
  return Array.isArray(body);
}

function canGather(body: object): body is Gatherable {
  return gather in body;
}
