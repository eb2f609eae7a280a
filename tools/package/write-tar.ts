import { gzipSync } from "node:zlib";

/** What an archive holds. Folders end in a slash and come before what is in them. */
export type Entry =
  | { readonly name: string; readonly data: Uint8Array; readonly mode?: number }
  | { readonly name: string; readonly link: string }
  | { readonly name: string; readonly folder: true; readonly mode?: number };

const blockBytes = 512;
const longestName = 100;
const longestPrefix = 155;

/** A tar archive. All that is in it belongs to root and is of the same time, in seconds: the same entries give the same bytes. */
export function writeTar(entries: readonly Entry[], seconds: number): Buffer {
  const blocks = entries.flatMap((entry) => {
    const data = "data" in entry ? entry.data : new Uint8Array();
    return [header(entry, data.length, seconds), data, Buffer.alloc((blockBytes - (data.length % blockBytes)) % blockBytes)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]);
}

/** Compresses without a word of when, by whom and on which system. */
export function gzip(data: Uint8Array): Buffer {
  const packed = gzipSync(data, { level: 6 });
  packed.fill(0, 4, 8);
  packed[9] = 255;
  return packed;
}

/** The folders that files lie in, each once. */
export function withFolders(entries: readonly Entry[]): readonly Entry[] {
  const known = new Map(entries.map((entry) => [entry.name, entry]));
  for (const { name } of entries) {
    const parts = name.replace(/\/$/, "").split("/").slice(0, -1);
    parts.forEach((_, index) => {
      const folder = `${parts.slice(0, index + 1).join("/")}/`;
      if (!known.has(folder)) known.set(folder, { name: folder, folder: true });
    });
  }
  return [...known.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Models POSIX ustar. The checksum is summed with blanks in its own place. */
function header(entry: Entry, size: number, seconds: number): Buffer {
  const block = Buffer.alloc(blockBytes);
  const { name, prefix } = partedName(entry.name);
  block.write(name, 0);
  block.write(octal(modeOf(entry), 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(size, 11), 124);
  block.write(octal(seconds, 11), 136);
  block.write("        ", 148);
  block.write("data" in entry ? "0" : "link" in entry ? "2" : "5", 156);
  if ("link" in entry) block.write(entry.link, 157);
  block.write("ustar\x0000", 257);
  block.write(prefix, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

function octal(value: number, digits: number): string {
  return `${value.toString(8).padStart(digits, "0")}\0`;
}

function modeOf(entry: Entry): number {
  if ("link" in entry) return 0o777;
  return entry.mode ?? ("data" in entry ? 0o644 : 0o755);
}

function partedName(path: string): { readonly name: string; readonly prefix: string } {
  if (Buffer.byteLength(path) <= longestName) return { name: path, prefix: "" };
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (Buffer.byteLength(name) <= longestName && Buffer.byteLength(prefix) <= longestPrefix) return { name, prefix };
  }
  throw new Error(`write an archive: the name ${path} is too long for tar; choose a shorter one`);
}
