import { BinaryWriter } from "@bufbuild/protobuf/wire";
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
  return withEnvelope(object, messageOf(object));
}

/** A list as a body: all lists have their metadata in the first field, and their items in the second. */
export function encodeList(head: TypedObject & { readonly metadata: object }, items: readonly TypedObject[]): Uint8Array {
  const writer = new BinaryWriter().raw(messageOf(head));
  for (const item of items) writer.uint32(18).bytes(messageOf(item));
  return withEnvelope(head, writer.finish());
}

/** An event of a watch as a frame. Models apimachinery pkg/util/framer and pkg/apis/meta/v1 WatchEvent */
export function encodeEvent(type: string, object: TypedObject): Uint8Array {
  const event = new BinaryWriter().uint32(10).string(type).uint32(18).fork().uint32(10).bytes(encodeObject(object)).join().finish();
  const frame = Buffer.allocUnsafe(4 + event.length);
  frame.writeUInt32BE(event.length);
  frame.set(event, 4);
  return frame;
}

/** Models apimachinery pkg/runtime Unknown, which also has a content type and encoding; both are empty. */
function withEnvelope({ apiVersion = "", kind }: TypedObject, message: Uint8Array): Uint8Array {
  const writer = new BinaryWriter().raw(prefix);
  writer.uint32(10).fork().uint32(10).string(apiVersion).uint32(18).string(kind).join();
  return writer.uint32(18).bytes(message).uint32(26).string("").uint32(34).string("").finish();
}
