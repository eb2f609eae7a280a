import { Fault } from "../core/fault/index.ts";

/** An entry of a tar archive. Folders are left out. */
type TarEntry = {
  readonly name: string;
  readonly size: number;
  readonly data: Uint8Array;
  /** False for links, devices and the like. */
  readonly isRegular: boolean;
};

const blockBytes = 512;

/** Reads all tar formats: old, ustar, GNU (long names), pax (names and sizes). */
export function* readTar(archive: Uint8Array): Generator<TarEntry> {
  let next: { readonly path?: string; readonly size?: number } = {};
  for (let at = 0; at + blockBytes <= archive.length;) {
    const header = archive.subarray(at, at + blockBytes);
    if (header.every((byte) => byte === 0)) return;
    if (checksumOf(header) !== octal(header, 148, 8)) throw broken();
    const type = String.fromCharCode(header[156]!);
    const isExtension = "xgLK".includes(type);
    const size = isExtension ? octal(header, 124, 12) : (next.size ?? octal(header, 124, 12));
    const start = at + blockBytes;
    if (start + size > archive.length) throw new Fault("unexpected EOF", undefined, { final: true });
    const data = archive.subarray(start, start + size);
    at = start + Math.ceil(size / blockBytes) * blockBytes;
    if (type === "x") next = { ...next, ...paxFields(data) };
    else if (type === "L") next = { ...next, path: text(data) };
    if (isExtension) continue;
    const name = next.path ?? nameIn(header);
    next = {};
    if (type === "5" || name.endsWith("/")) continue;
    yield { name, size, data, isRegular: type === "0" || type === "\0" || type === "7" };
  }
}

function nameIn(header: Uint8Array): string {
  const isUstar = text(header.subarray(257, 262)) === "ustar";
  const prefix = isUstar ? text(header.subarray(345, 500)) : "";
  const name = text(header.subarray(0, 100));
  return prefix === "" ? name : `${prefix}/${name}`;
}

/** `27 path=a/long/name\n`, one after the other. */
function paxFields(data: Uint8Array): { path?: string; size?: number } {
  const fields: { path?: string; size?: number } = {};
  const record = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  for (let at = 0; at < record.length;) {
    const space = record.indexOf(0x20, at);
    const length = Number(record.toString("latin1", at, space));
    if (space === -1 || !Number.isInteger(length) || length <= 0) throw broken();
    const pair = record.toString("utf8", space + 1, at + length - 1);
    const [key, value] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
    if (key === "path") fields.path = value;
    if (key === "size") fields.size = Number(value);
    at += length;
  }
  return fields;
}

/** Reads an octal number, or a binary one when the first bit is set. */
function octal(header: Uint8Array, at: number, length: number): number {
  const field = header.subarray(at, at + length);
  if ((field[0]! & 0x80) !== 0) return field.subarray(1).reduce((sum, byte) => sum * 256 + byte, field[0]! & 0x7f);
  const digits = text(field).trim();
  const value = digits === "" ? 0 : Number.parseInt(digits, 8);
  if (!Number.isInteger(value)) throw broken();
  return value;
}

function checksumOf(header: Uint8Array): number {
  let sum = 8 * 0x20;
  for (let at = 0; at < blockBytes; at++) if (at < 148 || at >= 156) sum += header[at]!;
  return sum;
}

/** Up to the first zero byte. */
function text(field: Uint8Array): string {
  const end = field.indexOf(0);
  return Buffer.from(field.buffer, field.byteOffset, end === -1 ? field.byteLength : end).toString("utf8");
}

/** Go's only message for an invalid header. */
function broken(): Fault {
  return new Fault("archive/tar: invalid tar header", undefined, { final: true });
}
