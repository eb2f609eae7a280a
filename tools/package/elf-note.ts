/** The parts of an ELF file of 64 bits, little end first, that have to be known to add a note. */
type Segment = {
  readonly type: number;
  readonly flags: number;
  readonly offset: bigint;
  readonly address: bigint;
  readonly fileSize: bigint;
  readonly memorySize: bigint;
  readonly alignment: bigint;
};

type ElfFile = { readonly machine: "x64" | "arm64"; readonly interpreter: string; readonly segments: readonly Segment[] };

const machines: Readonly<Record<number, ElfFile["machine"]>> = { 62: "x64", 183: "arm64" };
const types = { load: 1, interpreter: 3, note: 4, table: 6 };
const readable = 4;
const segmentBytes = 56;
/** Pages of arm64 have up to 64 KiB. */
const pageBytes = 0x10000;

/** Reads what a program says of itself to whoever starts it. */
export function readElf(file: Buffer): ElfFile {
  const machine = machines[file.readUInt16LE(18)];
  if (file.toString("latin1", 0, 6) !== "\x7fELF\x02\x01" || machine === undefined)
    throw new Error("read a program: it is not an ELF file for x64 or arm64; take Node's own for Linux");
  const at = Number(file.readBigUInt64LE(32));
  const segments = Array.from({ length: file.readUInt16LE(56) }, (_, index) => segmentAt(file, at + index * segmentBytes));
  const named = segments.find(({ type }) => type === types.interpreter);
  const interpreter = named === undefined ? "" : file.toString("latin1", Number(named.offset), Number(named.offset + named.fileSize) - 1);
  return { machine, interpreter, segments };
}

/** The contents of the note of that name that is loaded with a program; nothing if there is none. */
export function noteIn(file: Buffer, name: string): Buffer | undefined {
  for (const { type, offset, fileSize } of readElf(file).segments) {
    const end = Number(offset + fileSize);
    for (let at = Number(offset); type === types.note && at + 12 <= end;) {
      const [nameBytes, size] = [file.readUInt32LE(at), file.readUInt32LE(at + 4)];
      const start = at + 12 + roundedUp(nameBytes, 4);
      if (file.toString("latin1", at + 12, at + 12 + nameBytes) === `${name}\0`) return file.subarray(start, start + size);
      at = start + roundedUp(size, 4);
    }
  }
  return undefined;
}

/**
 * A program with one more note, which is loaded with it. The note is appended, together with a copy of the table of segments
 * that names it, and nothing that was there moves. As before, the table lies as far into memory as into the file: old kernels
 * tell a program where its table is by that rule.
 */
export function withNote(file: Buffer, name: string, contents: Buffer): Buffer {
  const { segments } = readElf(file);
  const loads = segments.filter(({ type }) => type === types.load);
  const [first, last] = [loads[0], loads.at(-1)];
  if (first === undefined || last === undefined) throw new Error("add a note: the program has no segment that is loaded");
  const offset = roundedUp(file.length, pageBytes);
  const address = first.address - first.offset + BigInt(offset);
  if (address < last.address + last.memorySize) throw new Error("add a note: there is no room for it in memory after the program");
  const tableBytes = (segments.length + 2) * segmentBytes;
  const note = noteBytes(name, contents);
  const noteAt = roundedUp(tableBytes, 16);
  const added = (type: number, from: number, size: number, alignment: number): Segment => {
    const [fileSize, start] = [BigInt(size), BigInt(from)];
    const place = { offset: BigInt(offset) + start, address: address + start };
    return { type, flags: readable, ...place, fileSize, memorySize: fileSize, alignment: BigInt(alignment) };
  };
  const table = segments.flatMap((segment) => {
    if (segment.type === types.table) return [added(types.table, 0, tableBytes, 8)];
    // Segments to load have to come in the order of their addresses.
    return segment === last ? [segment, added(types.load, 0, noteAt + note.length, pageBytes)] : [segment];
  });
  const whole = Buffer.alloc(offset + noteAt + note.length);
  file.copy(whole);
  [...table, added(types.note, noteAt, note.length, 4)].forEach((segment, index) =>
    writeSegment(whole, offset + index * segmentBytes, segment),
  );
  note.copy(whole, offset + noteAt);
  whole.writeBigUInt64LE(BigInt(offset), 32);
  whole.writeUInt16LE(segments.length + 2, 56);
  return whole;
}

function noteBytes(name: string, contents: Buffer): Buffer {
  const nameBytes = name.length + 1;
  const start = 12 + roundedUp(nameBytes, 4);
  const note = Buffer.alloc(start + roundedUp(contents.length, 4));
  note.writeUInt32LE(nameBytes, 0);
  note.writeUInt32LE(contents.length, 4);
  note.write(name, 12, "latin1");
  contents.copy(note, start);
  return note;
}

function segmentAt(file: Buffer, at: number): Segment {
  const word = (index: number) => file.readBigUInt64LE(at + index * 8);
  const [offset, address, fileSize, memorySize, alignment] = [word(1), word(2), word(4), word(5), word(6)];
  return { type: file.readUInt32LE(at), flags: file.readUInt32LE(at + 4), offset, address, fileSize, memorySize, alignment };
}

function writeSegment(file: Buffer, at: number, { type, flags, offset, address, fileSize, memorySize, alignment }: Segment): void {
  file.writeUInt32LE(type, at);
  file.writeUInt32LE(flags, at + 4);
  [offset, address, address, fileSize, memorySize, alignment].forEach((word, index) => file.writeBigUInt64LE(word, at + 8 + index * 8));
}

function roundedUp(size: number, step: number): number {
  return Math.ceil(size / step) * step;
}
