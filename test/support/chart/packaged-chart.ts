import { gzipSync } from "node:zlib";

export type ArchiveEntry = {
  readonly name: string;
  readonly content?: string | Uint8Array;
  readonly type?: string;
  readonly size?: number;
};

/** Packs a chart from its files. */
export function packagedChart(texts: Readonly<Record<string, string>>): Uint8Array {
  return gzipSync(tarOf(Object.entries(texts).map(([name, content]) => ({ name, content }))));
}

/** A tar archive with any entries, valid or not. */
export function tarOf(entries: readonly ArchiveEntry[]): Buffer {
  return Buffer.concat([...entries.flatMap(blocksOf), Buffer.alloc(1024)]);
}

function blocksOf({ name, content = "", type = "0", size }: ArchiveEntry): Buffer[] {
  const data = Buffer.from(content);
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write("0000644\0", 100);
  header.write(`${(size ?? data.length).toString(8).padStart(11, "0")}\0`, 124);
  header.write("        ", 148);
  header.write(type, 156);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return [header, data, Buffer.alloc((512 - (data.length % 512)) % 512)];
}
