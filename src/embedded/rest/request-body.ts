import type { Request } from "../../core/exchange/index.ts";
import { readYaml } from "../../lang/yaml/index.ts";
import { isFields, type Fields, type GroupVersionKind } from "../../core/object/index.ts";
import { apiVersionFor, type ServedResource } from "../apiserver/index.ts";
import { jsonSyntaxProblem } from "../builtin/index.ts";
import { schemaNameOf } from "../data/index.ts";
import { badRequestError, StatusError } from "../status-error.ts";
import { mediaTypes, protobufType } from "./negotiation.ts";
import { protobufBodyOf, unrecognized } from "./protobuf-body.ts";

export const applyPatchType = "application/apply-patch+yaml";

/** The limit of a body. Models apiserver pkg/server/config.go MaxRequestBodyBytes */
const maxBodyBytes = 3 * 1024 * 1024;

export function bodyBytes({ body = "" }: Request): number {
  return typeof body === "string" ? Buffer.byteLength(body) : body.length;
}

export function checkBodySize(request: Request): void {
  if (bodyBytes(request) > maxBodyBytes)
    throw new StatusError(413, "RequestEntityTooLarge", `Request entity too large: limit is ${maxBodyBytes}`);
}

/** The media type of the body, without its parameters. Default: JSON. */
export function mediaTypeOf({ headers }: Request): string {
  const type = (headers["content-type"] ?? "").split(";", 1)[0]!.trim().toLowerCase();
  return type === "" || type === "*/*" ? "application/json" : type;
}

export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`;
  return new StatusError(415, "UnsupportedMediaType", message);
}

/** The body as a value in its JSON form. `expected` is its kind where it names none, which only protobuf needs. */
export function requestBodyOf(request: Request, expected: GroupVersionKind): unknown {
  switch (mediaTypeOf(request)) {
    case "application/json":
      return parsed(request, expected, parseJson);
    case "application/yaml":
      return parsed(request, expected, parseYaml);
    case protobufType:
      return protobufBodyOf(bytesOfBody(request), expected);
    default:
      throw unsupportedMediaType(mediaTypes);
  }
}

/** Whether a body of the media type can be read at all, which a create decides before anything else. */
export function checkBodyType(request: Request, resource: ServedResource): void {
  const type = mediaTypeOf(request);
  const isKnown = mediaTypes.some((known) => known === type);
  // Custom resources have no protobuf. The real server has no answer: it panics, and closes the connection.
  if (!isKnown || (resource.custom !== undefined && type === protobufType)) throw unsupportedMediaType(mediaTypes);
}

/** Options of a deletion are not told what they should be. */
function parsed(request: Request, expected: GroupVersionKind, parse: (text: string) => unknown): unknown {
  try {
    return parse(textOfBody(request));
  } catch (error) {
    if (!(error instanceof MalformedBody)) throw error;
    throw badRequestError(expected.kind === "DeleteOptions" ? error.message : unrecognized(expected, error.message, bytesOfBody(request)));
  }
}

/** Says in Go's words why a body cannot be read. */
class MalformedBody extends Error {}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new MalformedBody(`couldn't get version/kind; json parse error: ${jsonSyntaxProblem(text) ?? messageOf(error)}`);
  }
}

/** Most clients that send YAML send JSON, which is YAML and much faster to parse. */
function parseYaml(text: string): unknown {
  if (text.startsWith("{")) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // It may be YAML that begins like JSON.
    }
  }
  try {
    return readYaml(text, "body");
  } catch (error) {
    throw new MalformedBody(messageOf(error));
  }
}

/** The body as an object of a resource. It may omit what the path contains, but not contradict it. */
export function objectBodyOf(request: Request, resource: ServedResource): Fields {
  checkBodyType(request, resource);
  const body = requestBodyOf(request, resource);
  if (resource.custom !== undefined && (body === null || (isFields(body) && !body["kind"])))
    throw badRequestError(unrecognized(resource, `Object 'Kind' is missing in '${textOfBody(request)}'`, bytesOfBody(request)));
  if (body === null) return {};
  if (!isFields(body)) throw badRequestError(unrecognized(resource, notAnObject(body), bytesOfBody(request)));
  const apiVersion = apiVersionFor(resource);
  const { apiVersion: sentVersion = resource.custom === undefined ? apiVersion : "", kind: sentKind = resource.kind } = body;
  if (sentVersion === apiVersion && sentKind === resource.kind) return body;
  throw badRequestError(unknownConversion(resource, String(sentVersion), String(sentKind)));
}

/** Models apimachinery pkg/runtime/serializer/json/meta.go, whose struct is part of the message. */
export function notAnObject(body: unknown): string {
  const type = Array.isArray(body) ? "array" : body === null ? "null" : typeof body === "boolean" ? "bool" : typeof body;
  const struct = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${type} into Go value of type ${struct}`;
}

/** The Go package of a group's internal types. */
export function goPackageOf(group: string): string {
  return group === "" ? "core" : group.split(".", 1)[0]!;
}

function cannotBeHandled({ kind }: ServedResource, version: string, sentKind: string, why: string): string {
  return `${sentKind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${why}`;
}

/** Models apimachinery pkg/conversion/converter.go: the types are named as Go names them. */
function unknownConversion(resource: ServedResource, sentVersion: string, sentKind: string): string {
  if (resource.custom !== undefined && sentVersion !== apiVersionFor(resource))
    return `the API version in the data (${sentVersion}) does not match the expected API version (${apiVersionFor(resource)})`;
  const [version = "", group = ""] = sentVersion.split("/").toReversed();
  const isRegistered = schemaNameOf({ group, version, kind: sentKind }) !== undefined;
  const why = isRegistered
    ? `converting (${version}.${sentKind}) to (${goPackageOf(resource.group)}.${resource.kind}): unknown conversion`
    : `no kind ${JSON.stringify(sentKind)} is registered for version ${JSON.stringify(sentVersion)} in scheme "pkg/runtime/scheme.go:111"`;
  return cannotBeHandled(resource, version, sentKind, why);
}

function bytesOfBody({ body = "" }: Request): Uint8Array {
  return typeof body === "string" ? Buffer.from(body) : body;
}

export function textOfBody({ body = "" }: Request): string {
  return typeof body === "string" ? body : Buffer.from(body).toString();
}

/** The object of a server-side apply, which is YAML. */
export function parseApplyPatch(text: string): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    throw badRequestError(`error decoding YAML: ${messageOf(error)}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
