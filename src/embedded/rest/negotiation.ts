import type { GroupVersionKind } from "../../core/object/index.ts";
import { StatusError } from "../status-error.ts";

/** The media types that a server can answer in, the default first. */
export const mediaTypes = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"] as const;

export type MediaType = (typeof mediaTypes)[number];

export const protobufType = "application/vnd.kubernetes.protobuf";

/** Those that a watch can be answered in. */
export const streamTypes = ["application/json;stream=watch", `${protobufType};stream=watch`];

/** What a request wants in its answer. Models apiserver pkg/endpoints/handlers/negotiation MediaTypeOptions */
export type MediaTypeOptions = {
  readonly mediaType: MediaType;
  /** The kind into which objects are to be transformed, as in `;as=Table;g=meta.k8s.io;v=v1`. Default: none. */
  readonly convert?: GroupVersionKind;
};

/** Whether an endpoint can answer in a media type, with objects transformed into another kind or as they are. */
type EndpointRestrictions = (mediaType: MediaType, convert: GroupVersionKind | undefined) => boolean;

/** Endpoints that have nothing to transform. */
export const noTransform: EndpointRestrictions = (_mediaType, convert) => convert === undefined;

/**
 * The most appropriate media type of an Accept header, or undefined when there is none. Models apiserver
 * pkg/endpoints/handlers/negotiation/negotiate.go NegotiateMediaTypeOptions
 */
export function negotiateMediaType(accept: string, allows: EndpointRestrictions): MediaTypeOptions | undefined {
  if (accept === "") return { mediaType: mediaTypes[0] };
  for (const clause of acceptClauses(accept)) {
    for (const mediaType of mediaTypes) {
      const options = matches(clause, mediaType) ? acceptedOptions(clause.params, mediaType, allows) : undefined;
      if (options !== undefined) return options;
    }
  }
  return undefined;
}

/** The first of these media types that an Accept header wants, each clause of the header in turn; undefined when it wants none. */
export function acceptedType<T extends string>(accept: string, offered: readonly T[]): T | undefined {
  for (const clause of acceptClauses(accept === "" ? "*/*" : accept)) {
    const found = offered.find((mediaType) => matches(clause, mediaType));
    if (found !== undefined) return found;
  }
  return undefined;
}

type AcceptClause = {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly params: ReadonlyMap<string, string>;
};

function matches({ type, subtype }: AcceptClause, mediaType: string): boolean {
  const [ownType, ownSubtype] = mediaType.split("/");
  return (type === ownType && (subtype === ownSubtype || subtype === "*")) || (type === "*" && subtype === "*");
}

function acceptedOptions(
  params: ReadonlyMap<string, string>,
  mediaType: MediaType,
  allows: EndpointRestrictions,
): MediaTypeOptions | undefined {
  const stream = params.get("stream") ?? "";
  if (stream !== "" && (stream !== "watch" || mediaType === "application/yaml")) return undefined;
  const asked = params.has("as") || params.has("g") || params.has("v");
  const convert = asked ? { group: params.get("g") ?? "", version: params.get("v") ?? "", kind: params.get("as") ?? "" } : undefined;
  if (!allows(mediaType, convert)) return undefined;
  return convert === undefined ? { mediaType } : { mediaType, convert };
}

/** The clauses of an Accept header, the preferred first. Models github.com/munnerz/goautoneg ParseAccept */
function acceptClauses(accept: string): readonly AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const part of accept.split(",")) {
    const clause = acceptClause(part);
    if (clause === undefined) continue;
    // An insertion sort, as Go sorts a dozen: the order is not a total one, so another sort gives another result.
    let at = clauses.length;
    while (at > 0 && precedes(clause, clauses[at - 1]!)) at--;
    clauses.splice(at, 0, clause);
  }
  return clauses;
}

function acceptClause(part: string): AcceptClause | undefined {
  const [range = "", ...rest] = part.split(";");
  const [type = "", subtype = "", ...more] = range.split("/").map((text) => text.trim());
  const whole = subtype === "" && type === "*" ? "*" : subtype;
  if (whole === "" || more.some((text) => text !== "")) return undefined;
  const params = new Map<string, string>();
  let quality = 1;
  for (const param of rest) {
    const [name = "", value = "", ...others] = param.split("=").map((text) => text.trim());
    if (value === "" || others.some((text) => text !== "")) continue;
    if (name === "q") quality = Number.parseFloat(value) || 0;
    else params.set(name, value);
  }
  return { type, subtype: whole, quality, params };
}

function precedes(one: AcceptClause, other: AcceptClause): boolean {
  if (one.quality > other.quality) return true;
  return (one.type !== "*" && other.type === "*") || (one.subtype !== "*" && other.subtype === "*");
}

/** The error of an endpoint that can answer in none of the accepted media types. */
export function notAcceptable(accepted: readonly string[] = mediaTypes): StatusError {
  return new StatusError(406, "NotAcceptable", `only the following media types are accepted: ${accepted.join(", ")}`);
}

/**
 * Rejects a client that names none of the media types of a built-in endpoint, whatever their parameters. Models go-restful's
 * Route.matchesAccept, which runs before the negotiation.
 */
export function checkRouteAccepts(accept: string, produced: readonly string[]): void {
  const named = accept === "" ? ["*/*"] : accept.split(",").map((part) => part.split(";", 1)[0]!.trim());
  if (named.some((type) => type === "*/*" || produced.includes(type))) return;
  const message = `406: Not Acceptable\n\nAvailable representations: ${produced.join(", ")}`;
  throw new StatusError(406, "NotAcceptable", message, {});
}
