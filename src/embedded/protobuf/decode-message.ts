import { BinaryReader } from "@bufbuild/protobuf/wire";
import { isFields, type Fields } from "../../core/object/index.ts";
import type { MessageField, MessageType, ValueLetter } from "./message-type.ts";
import { specialMessages } from "./special-message.ts";
import { integerOf, lengthOf, ProtobufFault, skipField, truncated } from "./wire-reader.ts";

type OpenFields = Record<string, unknown>;

/** A message that is being read: up to `end`, into an object. `done` is called at its end. */
type OpenMessage = {
  readonly end: number;
  /** Where its values must have ended. Go lets those of an entry of a map end where the message around it does. */
  readonly limit: number;
  readonly type: MessageType;
  readonly object: OpenFields;
  readonly done?: () => void;
};

/**
 * A message as an object in its JSON form. Malformed bytes are a ProtobufFault. Messages may be nested deeper than a stack
 * has room for, so those that are being read are on a stack of their own.
 */
export function decodeMessage(bytes: Uint8Array, type: MessageType): Fields {
  const reader = new BinaryReader(bytes);
  const root: OpenMessage = { end: bytes.length, limit: bytes.length, type, object: {} };
  const open = [root];
  for (let message = open.at(-1); message !== undefined; message = open.at(-1)) {
    if (reader.pos > message.limit) throw truncated();
    if (reader.pos < message.end) {
      readField(reader, message, open);
      continue;
    }
    reader.pos = message.end;
    open.pop();
    message.done?.();
  }
  return root.object;
}

function readField(reader: BinaryReader, message: OpenMessage, open: OpenMessage[]): void {
  const { type, limit, object } = message;
  const tag = reader.uint32();
  const wireType = tag & 7;
  const field = type.byNumber[tag >>> 3];
  if (type.isEntry && field === undefined) return skipField(reader, wireType, message.end);
  if (wireType === 4 && !type.isEntry) throw new ProtobufFault(`proto: ${type.name}: wiretype end group for non-group`);
  if (tag >>> 3 === 0) throw new ProtobufFault(`proto: ${type.name}: illegal tag 0 (wire type ${tag})`);
  if (field === undefined) return skipField(reader, wireType, limit);
  const isPacked = field.form === "list" && wireType === 2 && field.wireType !== 2;
  if (wireType !== field.wireType && !isPacked && !type.isEntry)
    throw new ProtobufFault(`proto: wrong wireType = ${wireType} for field ${field.goName}`);
  if (isPacked) return readPacked(reader, limit, field.letter, listIn(object, field));
  if (field.form === "map") return openEntry(reader, message, field, open);
  if (field.message.fields.length > 0 || field.letter === "@") return openMessage(reader, message, field, open);
  const value = readScalar(reader, limit, field.letter);
  if (field.form === "list") listIn(object, field).push(value);
  // What is zero is absent in JSON, except behind a pointer.
  else if (field.form === "value" && isZero(value, field.letter)) delete object[field.name];
  else object[field.name] = value;
}

function isZero(value: unknown, letter: ValueLetter): boolean {
  return letter !== "y" && (value === "" || value === 0 || value === false);
}

function listIn(object: OpenFields, { name }: MessageField): unknown[] {
  const known = object[name];
  if (Array.isArray(known)) return known;
  const list: unknown[] = [];
  object[name] = list;
  return list;
}

/** Begins to read a message in a field. A second part of the same message is read into the same object. */
function openMessage(reader: BinaryReader, { limit, object }: OpenMessage, field: MessageField, open: OpenMessage[]): void {
  const { name, form, letter, message: type } = field;
  const end = nested(reader, limit);
  const inner = { end, limit: end, type };
  if (letter === "@") {
    const before = form === "list" ? undefined : object[name];
    const target: OpenFields = name === "" ? object : isFields(before) ? before : {};
    if (form === "list") listIn(object, field).push(target);
    else if (name !== "") object[name] = target;
    open.push({ ...inner, object: target });
    return;
  }
  const fields: OpenFields = {};
  const list = form === "list" ? listIn(object, field) : undefined;
  const at = list === undefined ? 0 : list.push(null) - 1;
  const done = (): void => {
    const value = specialMessages[letter]!.valueOf(fields);
    if (list !== undefined) list[at] = value ?? null;
    else if (value === undefined) delete object[name];
    else object[name] = value;
  };
  open.push({ ...inner, object: fields, done });
}

/** What an entry of a map has when its value is absent. */
const absentValues: Readonly<Partial<Record<ValueLetter, unknown>>> = { s: "", y: "", q: "0", t: null, w: [], S: null };

/** Begins to read an entry of a map, which is a message of its key and its value. */
function openEntry(reader: BinaryReader, { limit, object }: OpenMessage, field: MessageField, open: OpenMessage[]): void {
  const entry: OpenFields = {};
  const done = (): void => {
    const { key = "", value = field.letter in absentValues ? absentValues[field.letter] : {} } = entry;
    const map: OpenFields = isFields(object[field.name]) ? (object[field.name] as OpenFields) : {};
    // A key may be `__proto__`.
    Object.defineProperty(map, String(key), { value, writable: true, enumerable: true, configurable: true });
    object[field.name] = map;
  };
  open.push({ end: nested(reader, limit), limit, type: field.message, object: entry, done });
}

/** The end of a value with a length. */
function nested(reader: BinaryReader, end: number): number {
  const length = lengthOf(reader);
  if (reader.pos + length > end) throw truncated();
  return reader.pos + length;
}

function readScalar(reader: BinaryReader, end: number, letter: ValueLetter): unknown {
  switch (letter) {
    case "b":
      return reader.bool();
    case "n":
      return reader.int32();
    case "l":
      return integerOf(reader);
    case "f":
      if (reader.pos + 8 > end) throw truncated();
      return reader.double();
    default: {
      const start = reader.pos;
      nested(reader, end);
      reader.pos = start;
      return letter === "y" ? Buffer.from(reader.bytes()).toString("base64") : reader.string();
    }
  }
}

function readPacked(reader: BinaryReader, end: number, letter: ValueLetter, list: unknown[]): void {
  const stop = nested(reader, end);
  while (reader.pos < stop) list.push(readScalar(reader, stop, letter));
  if (reader.pos > stop) throw truncated();
}
