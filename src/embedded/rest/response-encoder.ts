import { jsonBody, type Body, type Chunk, type IncomingRequest } from "../../core/exchange/index.ts";
import { jsonText } from "../../core/object/index.ts";
import { marshalYaml } from "../../lang/yaml/index.ts";
import { protobufType, type MediaType } from "./negotiation.ts";
import { protobufCodec } from "./protobuf-codec.ts";
import { rememberLast } from "./remember-last.ts";

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
  /** The same as a body, of which a caller in this process may take the value. */
  encodeBody(object: RuntimeObject): Body;
  encodeList(head: ListHead, items: readonly RuntimeObject[]): Chunk;
  /** An event of a watch, framed: the same chunk for every watcher, which must not change it. */
  encodeEvent(type: string, object: RuntimeObject): Chunk;
  /** The event as a value, in media types of which callers in this process take values. */
  readonly eventValue?: (type: string, object: RuntimeObject) => object;
};

const jsonType = "application/json";

const jsonEncoder: ResponseEncoder = {
  contentType: jsonType,
  streamType: jsonType,
  encode: (object) => `${objectJson(object)}\n`,
  encodeBody: (object) => jsonBody(typeFirst(object), () => `${objectJson(object)}\n`),
  encodeList: ({ isTyped, ...head }, items) => {
    const texts = items.map(isTyped ? listItemJson : objectJson);
    const { kind, apiVersion, metadata } = head;
    return `${JSON.stringify({ kind, apiVersion, metadata }).slice(0, -1)},"items":[${texts.join(",")}]}\n`;
  },
  encodeEvent: rememberLast((type, object) => `{"type":"${type}","object":${objectJson(object)}}\n`),
  eventValue: rememberLast((type, object) => ({ type, object: typeFirst(object) })),
};

/** JSON for people. A watch is a line for each event all the same. */
const prettyEncoder: ResponseEncoder = {
  ...jsonEncoder,
  encode: (object) => prettyJson(typeFirst(object)),
  encodeBody: (object) => [prettyJson(typeFirst(object))],
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
  return jsonText(value, 2);
}

const yamlType = "application/yaml";

const yamlEncoder: ResponseEncoder = {
  contentType: yamlType,
  streamType: yamlType,
  encode: yamlOf,
  encodeBody: (object) => [yamlOf(object)],
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
  encodeBody: (object) => [protobufCodec().encodeObject(object)],
  encodeList: (head, items) => protobufCodec().encodeList(head, items),
  encodeEvent: rememberLast((type, object) => protobufCodec().encodeEvent(type, object)),
};

/** Answers to a request in one of the media types. */
export function encoderFor(request: IncomingRequest, mediaType: MediaType): ResponseEncoder {
  return mediaType === jsonType && wantsPretty(request) ? prettyEncoder : encoders[mediaType];
}

const forPeople = /^(?:curl|Wget|Mozilla\/5\.0)/;
const isTrue = /^(?:1|t|T|TRUE|true|True)$/;

/** Models apiserver pkg/endpoints/handlers/negotiation/negotiate.go isPrettyPrint */
function wantsPretty({ path, headers }: IncomingRequest): boolean {
  const asked = path.includes("pretty") ? (new URLSearchParams(path.split("?", 2)[1]).get("pretty") ?? "") : "";
  return asked === "" ? forPeople.test(headers["user-agent"] ?? "") : isTrue.test(asked);
}

const encoders: Readonly<Record<MediaType, ResponseEncoder>> = {
  [jsonType]: jsonEncoder,
  [yamlType]: yamlEncoder,
  [protobufType]: protobufEncoder,
};

/** The object as answers show it: kind and apiVersion come first. */
function typeFirst({ kind, apiVersion, ...rest }: RuntimeObject): RuntimeObject {
  return apiVersion === undefined ? { kind, ...rest } : { kind, apiVersion, ...rest };
}

const texts = new WeakMap<RuntimeObject, string>();

/** The object as JSON, kind and apiVersion first. Objects are immutable, so each is serialised once. */
function objectJson(object: RuntimeObject): string {
  const known = texts.get(object);
  if (known !== undefined) return known;
  const text = jsonText(typeFirst(object));
  texts.set(object, text);
  return text;
}

/** The object as an item of a typed list. */
function listItemJson(object: RuntimeObject): string {
  const head = `{"kind":${JSON.stringify(object.kind)},"apiVersion":${JSON.stringify(object.apiVersion)},`;
  return `{${objectJson(object).slice(head.length)}`;
}
