import type { Chunk, Request } from "../../core/exchange/index.ts";
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

const jsonEncoder: ResponseEncoder = {
  contentType: jsonType,
  streamType: jsonType,
  encode: (object) => `${objectJson(object)}\n`,
  encodeList: ({ isTyped, ...head }, items) => {
    const texts = items.map(isTyped ? listItemJson : objectJson);
    const { kind, apiVersion, metadata } = head;
    return `${JSON.stringify({ kind, apiVersion, metadata }).slice(0, -1)},"items":[${texts.join(",")}]}\n`;
  },
  encodeEvent: (type, object) => `{"type":"${type}","object":${objectJson(object)}}\n`,
};

/** JSON for people. A watch is a line for each event all the same. */
const prettyEncoder: ResponseEncoder = {
  ...jsonEncoder,
  encode: ({ kind, apiVersion, ...rest }) => prettyJson({ kind, apiVersion, ...rest }),
  encodeList: ({ isTyped, ...head }, items) => {
    const { kind, apiVersion, metadata } = head;
    const shown = items.map(({ kind: itemKind, apiVersion: itemVersion, ...rest }) => {
      return isTyped ? rest : { kind: itemKind, apiVersion: itemVersion, ...rest };
    });
    return prettyJson({ kind, apiVersion, metadata, items: shown });
  },
};

/** JSON as Go indents it: two spaces, and no line break at the end. */
export function prettyJson(value: object): string {
  return JSON.stringify(value, undefined, 2);
}

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

/** Answers to a request in one of the media types. */
export function encoderFor(request: Request, mediaType: MediaType): ResponseEncoder {
  return mediaType === jsonType && wantsPretty(request) ? prettyEncoder : encoders[mediaType];
}

const forPeople = /^(?:curl|Wget|Mozilla\/5\.0)/;
const isTrue = /^(?:1|t|T|TRUE|true|True)$/;

/** Models apiserver pkg/endpoints/handlers/negotiation/negotiate.go isPrettyPrint */
function wantsPretty({ path, headers }: Request): boolean {
  const asked = path.includes("pretty") ? (new URLSearchParams(path.split("?", 2)[1]).get("pretty") ?? "") : "";
  return asked === "" ? forPeople.test(headers["user-agent"] ?? "") : isTrue.test(asked);
}

const encoders: Readonly<Record<MediaType, ResponseEncoder>> = {
  [jsonType]: jsonEncoder,
  [yamlType]: yamlEncoder,
  [protobufType]: protobufEncoder,
};

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
