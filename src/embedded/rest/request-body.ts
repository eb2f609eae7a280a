import { isUtf8 } from "node:buffer";
import type { Request } from "../../core/exchange/index.ts";
import { parseYaml, YamlFault } from "../../lang/yaml/index.ts";
import { isFields, type Fields, type GroupVersionKind } from "../../core/object/index.ts";
import { apiVersionFor, type ServedResource } from "../apiserver/index.ts";
import { exceedsDepth, jsonSyntaxProblem } from "../builtin/index.ts";
import { metadataError } from "../crd/index.ts";
import { schemaNameOf } from "../data/index.ts";
import { sortKeys } from "../schema/index.ts";
import { badRequestError, StatusError } from "../status-error.ts";
import { mediaTypes, protobufType } from "./negotiation.ts";
import { parseQuery } from "./query-parameters.ts";
import { protobufBodyOf, unrecognized } from "./protobuf-body.ts";
import { goTypeOf, typeMetaProblem } from "./type-meta.ts";

export const applyPatchType = "application/apply-patch+yaml";

/** The limit of a body. Models apiserver pkg/server/config.go MaxRequestBodyBytes */
export const maxBodyBytes = 3 * 1024 * 1024;

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
  return type === "" ? "application/json" : type;
}

/** Whether the parameters of the media type are `name=value`; one semicolon may end them. Models Go's mime.ParseMediaType */
function hasValidParameters({ headers }: Request): boolean {
  const [, ...parameters] = (headers["content-type"] ?? "").split(";");
  if (parameters.at(-1)?.trim() === "") parameters.pop();
  return parameters.every((parameter) => /^\s*[^\s=]+=("[^"]*"|[^\s"]+)\s*$/.test(parameter));
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
      // The server makes JSON of it, whose keys are sorted.
      return parsed(request, expected, (text) => sortKeys(parseYamlBody(text)));
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
  if (!isKnown || !hasValidParameters(request) || (resource.custom !== undefined && type === protobufType))
    throw unsupportedMediaType(mediaTypes);
}

/** Options of a deletion are not told what they should be. */
function parsed(request: Request, expected: GroupVersionKind, parse: (text: string) => unknown): unknown {
  try {
    if (mediaTypeOf(request) === "application/yaml") checkUtf8(request);
    return parse(textOfBody(request));
  } catch (error) {
    if (!(error instanceof MalformedBody)) throw error;
    throw badRequestError(expected.kind === "DeleteOptions" ? error.message : unrecognized(expected, error.message, bytesOfBody(request)));
  }
}

/** Says in Go's words why a body cannot be read. */
class MalformedBody extends Error {}

function noJson(why = ""): MalformedBody {
  return new MalformedBody(`couldn't get version/kind; json parse error: ${why}`);
}

function parseJson(text: string): unknown {
  if (exceedsDepth(text)) throw noJson(jsonSyntaxProblem(text));
  try {
    return jsonValueOf(text);
  } catch (error) {
    throw noJson(jsonSyntaxProblem(text) ?? messageOf(error));
  }
}

/** Half of a surrogate pair is no character: Go reads another one instead. */
export function jsonValueOf(text: string): unknown {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return JSON.parse(text) as unknown;
  return JSON.parse(text, (_key, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value)) as unknown;
}

/** Most clients that send YAML send JSON, which is YAML and much faster to parse, but for what YAML reads otherwise. */
function parseYamlBody(text: string): unknown {
  if (text.startsWith("{") && !/\\u[dD]|\d[eE][-+]?\d/.test(text) && !exceedsDepth(text)) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // It may be YAML that begins like JSON.
    }
  }
  try {
    return parseYaml(text);
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    throw new MalformedBody(error.message);
  }
}

/** Models go-yaml's reader, which stops at bytes that are no text. */
function checkUtf8(request: Request): void {
  const bytes = bytesOfBody(request);
  if (isUtf8(bytes)) return;
  throw new MalformedBody(`yaml: ${utf8Problem(bytes)}`);
}

function utf8Problem(bytes: Uint8Array): string {
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at]!;
    const width = first < 0x80 ? 1 : (first & 0xe0) === 0xc0 ? 2 : (first & 0xf0) === 0xe0 ? 3 : (first & 0xf8) === 0xf0 ? 4 : 0;
    if (width === 0) return "invalid leading UTF-8 octet";
    if (at + width > bytes.length) return "incomplete UTF-8 octet sequence";
    if (bytes.subarray(at + 1, at + width).some((byte) => (byte & 0xc0) !== 0x80)) return "invalid trailing UTF-8 octet";
    at += width;
  }
  return "invalid Unicode character";
}

/** The body as an object of a resource. It may omit what the path contains, but not contradict it, but for a custom resource's kind. */
export function objectBodyOf(request: Request, resource: ServedResource): Fields {
  checkBodyType(request, resource);
  const body = requestBodyOf(request, resource);
  const refuse = (why: string) => badRequestError(unrecognized(resource, why, bytesOfBody(request)));
  const problem = isFields(body) ? typeMetaProblem(body) : undefined;
  if (problem !== undefined) throw refuse(problem);
  if (resource.custom !== undefined) return customBody(request, resource, body, refuse);
  if (body === null) return {};
  if (!isFields(body)) throw refuse(notAnObject(body));
  const [sentVersion, sentKind] = [body["apiVersion"] ?? apiVersionFor(resource), body["kind"] ?? resource.kind];
  if (sentVersion === apiVersionFor(resource) && sentKind === resource.kind) return body;
  throw badRequestError(unknownConversion(resource, String(sentVersion), String(sentKind)));
}

/** The body of a custom resource names its kind and its version. */
function customBody(request: Request, resource: ServedResource, body: unknown, refuse: (why: string) => StatusError): Fields {
  const noKind = `Object 'Kind' is missing in '${textOfBody(request)}'`;
  const ignores = parseQuery(request.path.split("?")[1] ?? "").get("fieldValidation") === "Ignore";
  if (body === null || (isFields(body) && !body["kind"]))
    throw ignores ? badRequestError(cannotBeHandled(resource, sentVersionOf(body, resource), resource.kind, noKind)) : refuse(noKind);
  if (!isFields(body)) throw refuse(notAnObject(body));
  const { apiVersion: version = "", kind } = body;
  if (version === null)
    throw badRequestError(
      cannotBeHandled(resource, "", String(kind), ".apiVersion accessor error: <nil> is of the type <nil>, expected string"),
    );
  if (version === apiVersionFor(resource)) return body;
  const [, short = version] = String(version).split("/");
  const wrong = metadataError({ metadata: body["metadata"] });
  if (wrong !== undefined) throw badRequestError(cannotBeHandled(resource, String(short), String(kind), wrong));
  throw badRequestError(unknownConversion(resource, String(version), String(kind)));
}

function sentVersionOf(body: Fields | null, { version }: ServedResource): string {
  return (
    String(body?.["apiVersion"] ?? "")
      .split("/")
      .at(-1) || version
  );
}

/** Models apimachinery pkg/runtime/serializer/json/meta.go, whose struct is part of the message. */
export function notAnObject(body: unknown): string {
  const struct = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${goTypeOf(body)} into Go value of type ${struct}`;
}

/** The Go package of a group's internal types. */
export function goPackageOf(group: string): string {
  return group === "" ? "core" : group.split(".", 1)[0]!;
}

function cannotBeHandled({ kind }: ServedResource, version: string, sentKind: string, why: string): string {
  return `${sentKind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${why}`;
}

function unknownConversion(resource: ServedResource, sentVersion: string, sentKind: string): string {
  if (resource.custom !== undefined && sentVersion !== apiVersionFor(resource))
    return `the API version in the data (${sentVersion}) does not match the expected API version (${apiVersionFor(resource)})`;
  const [version = ""] = sentVersion.split("/").toReversed();
  return cannotBeHandled(resource, version, sentKind, conversionProblem(resource, sentVersion, sentKind));
}

/** Models apimachinery pkg/conversion/converter.go: the types are named as Go names them. */
export function conversionProblem(resource: ServedResource, sentVersion: string, sentKind: string): string {
  const [version = "", group = ""] = sentVersion.split("/").toReversed();
  const isRegistered = schemaNameOf({ group, version, kind: sentKind }) !== undefined;
  return isRegistered
    ? `converting (${version}.${sentKind}) to (${goPackageOf(resource.group)}.${resource.kind}): unknown conversion`
    : `no kind ${JSON.stringify(sentKind)} is registered for version ${JSON.stringify(sentVersion)} in scheme "pkg/runtime/scheme.go:111"`;
}

function bytesOfBody({ body = "" }: Request): Uint8Array {
  return typeof body === "string" ? Buffer.from(body) : body;
}

export function textOfBody({ body = "" }: Request): string {
  return typeof body === "string" ? body : Buffer.from(body).toString();
}

/** The object of a server-side apply, which is YAML. Nothing at all is an object without fields. */
export function parseApplyPatch(request: Request): Fields {
  const value = appliedValue(request) ?? {};
  if (isFields(value)) return value;
  const found = `json: cannot unmarshal ${goTypeOf(value)} into Go value of type map[string]interface {}`;
  throw badRequestError(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${found}`);
}

function appliedValue(request: Request): unknown {
  try {
    checkUtf8(request);
    return parseYamlBody(textOfBody(request));
  } catch (error) {
    if (!(error instanceof MalformedBody)) throw error;
    throw badRequestError(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
