import type { Request } from "../../core/exchange/index.ts";
import { readYaml } from "../../lang/yaml/index.ts";
import { isFields, type Fields } from "../../core/object/index.ts";
import { apiVersionFor, type ServedResource } from "../apiserver/index.ts";
import { badRequestError, StatusError } from "../status-error.ts";

/** The media types of bodies. Errors name protobuf as a real server does, but it is not accepted. */
const bodyTypes = ["application/json", "application/yaml"];
const namedTypes = [...bodyTypes, "application/vnd.kubernetes.protobuf"];

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

/** The body as a value. */
export function requestBodyOf(request: Request): unknown {
  const type = mediaTypeOf(request);
  if (!bodyTypes.includes(type)) throw unsupportedMediaType(namedTypes);
  return type === "application/json" ? parseJsonBody(textOfBody(request)) : parseYamlBody(textOfBody(request));
}

/** The body as an object of a resource. It may omit what the path contains, but not contradict it. */
export function objectBodyOf(request: Request, resource: ServedResource): Fields {
  const body = requestBodyOf(request);
  if (!isFields(body)) throw badRequestError(unrecognized(resource, textOfBody(request), body));
  const apiVersion = apiVersionFor(resource);
  const { apiVersion: sentVersion = apiVersion, kind: sentKind = resource.kind } = body;
  if (sentVersion === apiVersion && sentKind === resource.kind) return body;
  throw badRequestError(unknownConversion(resource, String(sentVersion), String(sentKind)));
}

/** Models apimachinery pkg/runtime/serializer/json/meta.go, whose struct is part of the message. */
function unrecognized({ kind }: ServedResource, text: string, body: unknown): string {
  const type = Array.isArray(body) ? "array" : body === null ? "null" : typeof body === "boolean" ? "bool" : typeof body;
  const struct = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  const parsed = `couldn't get version/kind; json parse error: json: cannot unmarshal ${type} into Go value of type ${struct}`;
  return `the object provided is unrecognized (must be of type ${kind}): ${parsed} (${Buffer.from(text).toString("hex")})`;
}

/** The Go package of a group's internal types. */
export function goPackageOf(group: string): string {
  return group === "" ? "core" : group.split(".", 1)[0]!;
}

/** Models apimachinery pkg/conversion/converter.go: the types are named as Go names them. */
function unknownConversion({ group, kind }: ServedResource, sentVersion: string, sentKind: string): string {
  const version = sentVersion.split("/").at(-1) ?? "";
  const internal = goPackageOf(group);
  return `${sentKind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: converting (${version}.${sentKind}) to (${internal}.${kind}): unknown conversion`;
}

export function textOfBody({ body = "" }: Request): string {
  return typeof body === "string" ? body : Buffer.from(body).toString();
}

export function parseJsonBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw badRequestError(`the object provided is unrecognized: ${messageOf(error)}`);
  }
}

/** Most clients that send YAML send JSON, which is YAML and much faster to parse. */
export function parseYamlBody(text: string): unknown {
  if (text.startsWith("{")) return parseJsonBody(text);
  try {
    return readYaml(text, "body");
  } catch (error) {
    throw badRequestError(`error decoding YAML: ${messageOf(error)}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
