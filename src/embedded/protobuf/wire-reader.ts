import type { BinaryReader } from "@bufbuild/protobuf/wire";

/** Bytes that are no message, in the words of the code that protoc-gen-gogo generates. */
export class ProtobufFault extends Error {}

export function truncated(): ProtobufFault {
  return new ProtobufFault("unexpected EOF");
}

/** A length. Go reads it as 64 bits with a sign. */
export function lengthOf(reader: BinaryReader): number {
  const start = reader.pos;
  const length = reader.uint32();
  if (reader.pos - start < 5) return length;
  reader.pos = start;
  const whole = reader.int64();
  if (BigInt(whole) < 0n) throw new ProtobufFault("proto: negative length found during unmarshaling");
  return Number(whole);
}

/** A number of 64 bits, as JSON has it. */
export function integerOf(reader: BinaryReader): number {
  const start = reader.pos;
  const low = reader.uint32();
  if (reader.pos - start < 5) return low;
  reader.pos = start;
  return Number(reader.int64());
}

/** Skips the value of an unknown field, groups included. */
export function skipField(reader: BinaryReader, wireType: number, end: number): void {
  let type = wireType;
  for (let depth = 0; ;) {
    switch (type) {
      case 0:
        reader.uint64();
        break;
      case 1:
        reader.pos += 8;
        break;
      case 2:
        reader.pos += lengthOf(reader);
        break;
      case 3:
        depth++;
        break;
      case 4:
        if (depth === 0) throw new ProtobufFault("proto: unexpected end of group");
        depth--;
        break;
      case 5:
        reader.pos += 4;
        break;
      default:
        throw new ProtobufFault(`proto: illegal wireType ${type}`);
    }
    if (reader.pos > end) throw truncated();
    if (depth === 0) return;
    if (reader.pos === end) throw truncated();
    type = reader.uint32() & 7;
  }
}
