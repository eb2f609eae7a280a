import { gzipSync } from "node:zlib";
import type { Chart, ChartFile } from "../chart/index.ts";

const blockBytes = 512;
const longestName = 100;

/** Packs a chart. The result is reproducible: files have no times and owners. */
export function packageChart({ metadata, raw }: Chart): Uint8Array {
  const files = raw.toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)));
  const blocks = files.flatMap(({ name, data }) => entry(`${metadata.name}/${name}`, data));
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]));
}

function isFirst({ name }: ChartFile): boolean {
  return name === "Chart.yaml";
}

export function packageFileName({ metadata }: Chart): string {
  return `${metadata.name}-${metadata.version}.tgz`;
}

function entry(name: string, data: Uint8Array): readonly Buffer[] {
  const isShort = name.length <= longestName && /^[\x20-\x7e]*$/.test(name);
  const extension = isShort ? [] : [header("pax", "x", paxRecord("path", name).length), padded(paxRecord("path", name))];
  return [...extension, header(isShort ? name : "long", "0", data.length), padded(data)];
}

/** `27 path=a/long/name\n`: the length includes itself. */
function paxRecord(key: string, value: string): Buffer {
  const body = Buffer.from(` ${key}=${value}\n`);
  let length = body.length;
  while (String(length).length + body.length !== length) length = String(length).length + body.length;
  return Buffer.concat([Buffer.from(String(length)), body]);
}

/** Models POSIX ustar. The checksum is computed with blanks in its own field. */
function header(name: string, type: string, size: number): Buffer {
  const block = Buffer.alloc(blockBytes);
  block.write(name, 0, "latin1");
  block.write("0000644\0", 100);
  block.write("0000000\0", 108);
  block.write("0000000\0", 116);
  block.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  block.write("00000000000\0", 136);
  block.write("        ", 148);
  block.write(type, 156);
  block.write("ustar\x0000", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

function padded(data: Uint8Array): Buffer {
  return Buffer.concat([data, Buffer.alloc((blockBytes - (data.length % blockBytes)) % blockBytes)]);
}
