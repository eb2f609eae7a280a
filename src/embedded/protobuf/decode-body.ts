import { BinaryReader } from "@bufbuild/protobuf/wire";
import type { Fields } from "../../core/object/index.ts";
import { decodeMessage } from "./decode-message.ts";
import { messageTypeOf } from "./message-type.ts";
import { lengthOf, ProtobufFault, skipField, truncated } from "./wire-reader.ts";

/** What a body says of its object, and the bytes of the object. Empty where it says nothing. */
type BodyEnvelope = { readonly apiVersion: string; readonly kind: string; readonly raw: Uint8Array };

const prefix = [0x6b, 0x38, 0x73, 0];

/** Takes a body out of its envelope. Models apimachinery pkg/runtime/serializer/protobuf Serializer.Decode */
export function readEnvelope(bytes: Uint8Array): BodyEnvelope {
  if (bytes.length === 0) throw new ProtobufFault("empty data");
  if (!prefix.every((byte, index) => bytes[index] === byte))
    throw new ProtobufFault(`provided data does not appear to be a protobuf message, expected prefix [${prefix.join(" ")}]`);
  if (bytes.length === prefix.length) throw new ProtobufFault("empty body");
  return withoutLibraryErrors(() => envelopeIn(bytes.subarray(prefix.length)));
}

/** The object of an envelope, in its JSON form. */
export function decodeBody({ apiVersion, kind, raw }: BodyEnvelope): Fields {
  const type = messageTypeOf(apiVersion, kind);
  if (type === undefined) throw notRegistered(apiVersion, kind);
  return withoutLibraryErrors(() => ({ apiVersion, kind, ...decodeMessage(raw, type) }));
}

export function notRegistered(apiVersion: string, kind: string): ProtobufFault {
  const version = JSON.stringify(apiVersion);
  return new ProtobufFault(`no kind ${JSON.stringify(kind)} is registered for version ${version} in scheme "pkg/runtime/scheme.go:111"`);
}

function envelopeIn(bytes: Uint8Array): BodyEnvelope {
  const found = { apiVersion: "", kind: "", raw: new Uint8Array() };
  eachField(bytes, "Unknown", ["TypeMeta", "Raw", "ContentEncoding", "ContentType"], (number, value) => {
    if (number === 2) found.raw = value;
    if (number !== 1) return;
    eachField(value, "TypeMeta", ["APIVersion", "Kind"], (inner, text) => {
      found[inner === 1 ? "apiVersion" : "kind"] = Buffer.from(text).toString();
    });
  });
  return found;
}

/** Calls back with each of the fields 1 to n, which all are bytes. */
function eachField(
  bytes: Uint8Array,
  message: string,
  names: readonly string[],
  take: (number: number, value: Uint8Array<ArrayBuffer>) => void,
): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < bytes.length) {
    const tag = reader.uint32();
    const [number, wireType] = [tag >>> 3, tag & 7];
    if (wireType === 4) throw new ProtobufFault(`proto: ${message}: wiretype end group for non-group`);
    if (number === 0) throw new ProtobufFault(`proto: ${message}: illegal tag 0 (wire type ${tag})`);
    const name = names[number - 1];
    if (name === undefined) skipField(reader, wireType, bytes.length);
    else if (wireType !== 2) throw new ProtobufFault(`proto: wrong wireType = ${wireType} for field ${name}`);
    else {
      const length = lengthOf(reader);
      if (reader.pos + length > bytes.length) throw truncated();
      take(number, bytes.subarray(reader.pos, (reader.pos += length)) as Uint8Array<ArrayBuffer>);
    }
  }
}

/** What the library says of varints, in Go's words. */
function withoutLibraryErrors<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof ProtobufFault || !(error instanceof Error)) throw error;
    if (error.message === "premature EOF") throw truncated();
    if (error.message === "invalid varint") throw new ProtobufFault("proto: integer overflow");
    throw error;
  }
}
