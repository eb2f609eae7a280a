import { encodeMessage } from "./encode-message.ts";
import { messageTypeOf } from "./message-type.ts";

/** An object of a built-in kind. The oldest document of discovery has no apiVersion. */
type TypedObject = { readonly kind: string; readonly apiVersion?: string };

const messages = new WeakMap<TypedObject, Uint8Array>();

/** The message of an object, without its kind and apiVersion. Objects are immutable, so each is encoded once. */
function messageOf(object: TypedObject): Uint8Array {
  const known = messages.get(object);
  if (known !== undefined) return known;
  const { apiVersion = "v1", kind } = object;
  const type = messageTypeOf(apiVersion, kind);
  if (type === undefined) throw new Error(`encode ${apiVersion} ${kind} as protobuf: there is no such message`);
  const bytes = encodeMessage(object, type);
  messages.set(object, bytes);
  return bytes;
}

const prefix = Uint8Array.of(0x6b, 0x38, 0x73, 0);

/** The object as a body. Models apimachinery pkg/runtime/serializer/protobuf Serializer.Encode */
export function encodeObject(object: TypedObject): Uint8Array {
  return Buffer.concat(withEnvelope(object, [messageOf(object)]));
}

/** A list as a body: all lists have their metadata in the first field, and their items in the second. */
export function encodeList(head: TypedObject & { readonly metadata: object }, items: readonly TypedObject[]): Uint8Array {
  return Buffer.concat(withEnvelope(head, [messageOf(head), ...items.flatMap((item) => bytesField(2, [messageOf(item)]))]));
}

/** An event of a watch as a frame. Models apimachinery pkg/util/framer and pkg/apis/meta/v1 WatchEvent */
export function encodeEvent(type: string, object: TypedObject): Uint8Array {
  const raw = bytesField(1, withEnvelope(object, [messageOf(object)]));
  const event = [...textField(1, type), ...bytesField(2, raw)];
  const length = Buffer.alloc(4);
  length.writeUInt32BE(lengthOf(event));
  return Buffer.concat([length, ...event]);
}

/** Models apimachinery pkg/runtime Unknown, which also has a content type and encoding; both are empty. */
function withEnvelope({ apiVersion = "", kind }: TypedObject, message: readonly Uint8Array[]): readonly Uint8Array[] {
  const typeMeta = bytesField(1, [...textField(1, apiVersion), ...textField(2, kind)]);
  return [prefix, ...typeMeta, ...bytesField(2, message), ...textField(3, ""), ...textField(4, "")];
}

/** The pieces of a field of bytes: they are copied once, when all of the body is known. */
function bytesField(number: number, pieces: readonly Uint8Array[]): readonly Uint8Array[] {
  const head = [number * 8 + 2];
  let length = lengthOf(pieces);
  for (; length > 127; length >>>= 7) head.push((length & 127) | 128);
  return [Uint8Array.from([...head, length]), ...pieces];
}

function textField(number: number, text: string): readonly Uint8Array[] {
  return bytesField(number, [Buffer.from(text)]);
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}
