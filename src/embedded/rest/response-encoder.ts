import type { Chunk } from "../../core/exchange/index.ts";
import { marshalYaml } from "../../lang/yaml/index.ts";
import { protobufType, type MediaType } from "./negotiation.ts";
import { protobufCodec } from "./protobuf-codec.ts";

/** What answers contain: an object of a cluster, a Status, a list, a document of discovery. */
export type RuntimeObject = { readonly kind: string; readonly apiVersion?: string };

/** A list without its items. `isTyped`: its items omit the kind and apiVersion, which the list implies. */
type ListHead = RuntimeObject & { readonly metadata: object; readonly isTyped: boolean };

/** Writes the objects of answers in one media type. Models apimachinery pkg/runtime Encoder */
export type ResponseEncoder = {
  readonly contentType: string;
  /** The media type of a watch. */
  readonly streamType: string;
  encode(object: RuntimeObject): Chunk;
  encodeList(head: ListHead, items: readonly RuntimeObject[]): Chunk;
  /** An event of a watch, framed. */
  encodeEvent(type: string, object: RuntimeObject): Chunk;
};

const jsonType = "application/json";

export const jsonEncoder: ResponseEncoder = {
  contentType: jsonType,
  streamType: jsonType,
  encode: objectJson,
  encodeList: ({ isTyped, ...head }, items) => {
    const texts = items.map(isTyped ? listItemJson : objectJson);
    const { kind, apiVersion, metadata } = head;
    return `${JSON.stringify({ kind, apiVersion, metadata }).slice(0, -1)},"items":[${texts.join(",")}]}`;
  },
  encodeEvent: (type, object) => `{"type":"${type}","object":${objectJson(object)}}\n`,
};

const yamlType = "application/yaml";

const yamlEncoder: ResponseEncoder = {
  contentType: yamlType,
  streamType: yamlType,
  encode: yamlOf,
  encodeList: (head, items) => yamlOf(JSON.parse(String(jsonEncoder.encodeList(head, items)))),
  // No request gets this far: a watch is not negotiated as YAML.
  encodeEvent: (type, object) => `---\n${yamlOf({ type, object })}`,
};

function yamlOf(value: unknown): string {
  return marshalYaml(value);
}

const protobufEncoder: ResponseEncoder = {
  contentType: protobufType,
  streamType: `${protobufType};stream=watch`,
  encode: (object) => protobufCodec().encodeObject(object),
  encodeList: (head, items) => protobufCodec().encodeList(head, items),
  encodeEvent: (type, object) => protobufCodec().encodeEvent(type, object),
};

const encoders: Readonly<Record<MediaType, ResponseEncoder>> = {
  [jsonType]: jsonEncoder,
  [yamlType]: yamlEncoder,
  [protobufType]: protobufEncoder,
};

export function encoderOf(mediaType: MediaType): ResponseEncoder {
  return encoders[mediaType];
}

const texts = new WeakMap<RuntimeObject, string>();

/** The object as JSON, kind and apiVersion first. Objects are immutable, so each is serialised once. */
function objectJson(object: RuntimeObject): string {
  const known = texts.get(object);
  if (known !== undefined) return known;
  const { kind, apiVersion, ...rest } = object;
  const text = JSON.stringify({ kind, apiVersion, ...rest });
  texts.set(object, text);
  return text;
}

/** The object as an item of a typed list. */
function listItemJson(object: RuntimeObject): string {
  const head = `{"kind":${JSON.stringify(object.kind)},"apiVersion":${JSON.stringify(object.apiVersion)},`;
  return `{${objectJson(object).slice(head.length)}`;
}
