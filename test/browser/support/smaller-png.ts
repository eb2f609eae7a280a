import { crc32, deflateSync, inflateSync } from "node:zlib";
import { Fault } from "../../../src/core/fault/index.ts";

type Chunk = { readonly type: string; readonly data: Buffer };

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
/** Channels by the colour types that browsers write. */
const channelsOf: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

/** The same picture in fewer bytes: browsers compress screenshots in haste. */
export function smallerPng(png: Buffer): Buffer {
  const chunks = chunksOf(png);
  const header = chunks.find(({ type }) => type === "IHDR")!.data;
  const [width, depth, colourType, interlace] = [header.readUInt32BE(0), header[8], header[9]!, header[12]];
  const channels = channelsOf[colourType];
  if (channels === undefined || depth !== 8 || interlace !== 0) throw new Fault("compress a picture", "it is no plain PNG of 8 bits");
  const data = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map((chunk) => chunk.data)));
  const rows = plainRows(data, width * channels, channels);
  // Flat colours compress best as they are.
  const plain = Buffer.concat(rows.flatMap((row) => [Buffer.of(0), row]));
  const packed = deflateSync(plain, { level: 9, memLevel: 9 });
  const written = [
    { type: "IHDR", data: header },
    { type: "IDAT", data: packed },
    { type: "IEND", data: Buffer.alloc(0) },
  ];
  const smaller = Buffer.concat([signature, ...written.map(chunkBytes)]);
  return smaller.length < png.length ? smaller : png;
}

function chunksOf(png: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = signature.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

function chunkBytes({ type, data }: Chunk): Buffer {
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const content = Buffer.concat([Buffer.from(type, "latin1"), data]);
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}

/** The rows without the filters of section 9 of the PNG specification. */
function plainRows(data: Buffer, bytes: number, channels: number): readonly Buffer[] {
  const rows: Buffer[] = [];
  let above = Buffer.alloc(bytes);
  for (let at = 0; at < data.length; at += bytes + 1) {
    const row = Buffer.from(data.subarray(at + 1, at + 1 + bytes));
    for (let x = 0; x < bytes; x++) {
      const [left, upperLeft] = x < channels ? [0, 0] : [row[x - channels]!, above[x - channels]!];
      row[x] = row[x]! + predicted(data[at]!, left, above[x]!, upperLeft);
    }
    rows.push(row);
    above = row;
  }
  return rows;
}

function predicted(filter: number, left: number, up: number, upperLeft: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  return filter === 4 ? paeth(left, up, upperLeft) : 0;
}

function paeth(left: number, up: number, upperLeft: number): number {
  const estimate = left + up - upperLeft;
  const [a, b, c] = [left, up, upperLeft].map((value) => Math.abs(estimate - value)) as [number, number, number];
  if (a <= b && a <= c) return left;
  return b <= c ? up : upperLeft;
}
