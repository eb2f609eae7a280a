import { once, readEntries } from "./packed-file.ts";

/** Number, JSON name, type, and the Go name where it does not follow from the JSON name. */
type ProtobufField = readonly [number: number, name: string, type: string, goName?: string];

const source = once(() => {
  const { index, pieces } = readEntries("protobuf.br");
  return { kinds: index as Readonly<Record<string, string>>, pieces };
});

/** The name of the message of each built-in kind, by `apps/v1/Deployment`. */
export function protobufKinds(): Readonly<Record<string, string>> {
  return source().kinds;
}

/** The fields of a message of this name, in the order of their numbers. */
export function protobufMessage(name: string): readonly ProtobufField[] {
  const text = source().pieces.get(name);
  if (text === undefined) throw new Error(`read the API data: protobuf.br has no message ${name}`);
  return JSON.parse(text) as readonly ProtobufField[];
}
