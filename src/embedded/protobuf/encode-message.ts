import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { isFields, type Fields } from "../../core/object/index.ts";
import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";
import type { MessageField, MessageType, ValueLetter } from "./message-type.ts";
import { specialMessages } from "./special-message.ts";

/** The bytes of an object as a message, with the fields, the order and the zeros that the server's Go types write. */
export function encodeMessage(object: object, type: MessageType): Uint8Array {
  const writer = new BinaryWriter();
  runNested(writeMessage(writer, object as Fields, type));
  return writer.finish();
}

function* writeMessage(writer: BinaryWriter, object: Fields, type: MessageType): Nested<void> {
  for (const field of type.fields) {
    // The fields of an embedded message are those of the object itself.
    const value = field.name === "" ? object : object[field.name];
    switch (field.form) {
      case "value":
        // Lists and bytes that are nil are not written, values of all other types are.
        if (value === undefined || value === null) yield* writeZero(writer, field);
        else yield* writeValue(writer.uint32(field.tag), value, field.letter, field.message);
        break;
      case "pointer":
        if (value !== undefined && value !== null) yield* writeValue(writer.uint32(field.tag), value, field.letter, field.message);
        break;
      case "list":
        if (Array.isArray(value)) for (const item of value) yield* writeValue(writer.uint32(field.tag), item, field.letter, field.message);
        break;
      case "map":
        if (isFields(value)) yield* writeMap(writer, value, field);
        break;
    }
  }
}

const nothing = new Set<ValueLetter>(["y", "w"]);

function* writeZero(writer: BinaryWriter, { tag, letter, message }: MessageField): Nested<void> {
  if (!nothing.has(letter)) yield* writeValue(writer.uint32(tag), undefined, letter, message);
}

/** Entries are written in the order of their keys' bytes, which is that of their characters when these are ASCII. */
function* writeMap(writer: BinaryWriter, map: Fields, { tag, letter, message }: MessageField): Nested<void> {
  const value = message.byNumber[2]!;
  for (const key of sortedKeys(map)) {
    writer.uint32(tag).fork().uint32(10).string(key);
    yield* writeValue(writer.uint32(value.tag), map[key], letter, value.message);
    writer.join();
  }
}

function sortedKeys(map: Fields): readonly string[] {
  const keys = Object.keys(map);
  if (keys.length < 2) return keys;
  return keys.every((key) => Buffer.byteLength(key) === key.length)
    ? keys.sort()
    : keys.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** A value without its tag. Undefined and null are zero. */
function* writeValue(writer: BinaryWriter, value: unknown, letter: ValueLetter, message: MessageType): Nested<void> {
  switch (letter) {
    case "s":
      return void writer.string(textOf(value));
    case "@":
      writer.fork();
      yield* callNested(writeMessage(writer, isFields(value) ? value : {}, message));
      return void writer.join();
    case "b":
      return void writer.bool(value === true);
    case "n":
    case "l":
      return writeInteger(writer, value);
    case "f":
      return void writer.double(Number(value ?? 0));
    case "y":
      return void writer.bytes(Buffer.from(textOf(value), "base64"));
    default: {
      const fields = specialMessages[letter]!.fieldsOf(value);
      writer.fork();
      if (fields["isZero"] !== true) yield* callNested(writeMessage(writer, fields, message));
      return void writer.join();
    }
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : value === undefined || value === null ? "" : String(value);
}

function writeInteger(writer: BinaryWriter, value: unknown): void {
  const number = typeof value === "number" ? value : Number(value ?? 0);
  if (number >= 0 && number <= 0xffff_ffff) writer.uint32(Math.trunc(number));
  else writer.int64(BigInt(Math.trunc(number)));
}
