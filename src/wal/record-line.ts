import { crc32 } from "node:zlib";

/** `header` opens a file, `end` closes a snapshot; all others are records. */
export type LineKind = "header" | "record" | "end";

const letters: Readonly<Record<LineKind, string>> = { header: "H", record: "R", end: "E" };
const kinds: Readonly<Record<string, LineKind>> = { H: "header", R: "record", E: "end" };

const checksumLength = 8;
const space = 0x20;

/** One line of a file: the CRC-32 of the rest, a letter for the kind, and the text, which has no line feed. */
export function encodeLine(kind: LineKind, text: string): Buffer {
  const content = Buffer.from(`${" ".repeat(checksumLength)} ${letters[kind]} ${text}\n`);
  const checksum = crc32(content.subarray(checksumLength + 1, -1));
  content.write(checksum.toString(16).padStart(checksumLength, "0"), 0, "latin1");
  return content;
}

/** The content of a line without its line feed; undefined when it is not what was written. */
export function decodeLine(line: Buffer): { readonly kind: LineKind; readonly text: string } | undefined {
  const kind = kinds[line.toString("latin1", checksumLength + 1, checksumLength + 2)];
  if (kind === undefined || line[checksumLength] !== space || line[checksumLength + 2] !== space) return undefined;
  const checksum = crc32(line.subarray(checksumLength + 1));
  if (line.toString("latin1", 0, checksumLength) !== checksum.toString(16).padStart(checksumLength, "0")) return undefined;
  return { kind, text: line.toString("utf8", checksumLength + 3) };
}
