import type { Request } from "../../exchange/index.ts";
import { readYaml } from "../../yaml/index.ts";
import { badRequest, Refusal } from "../refusal.ts";

/** The media type of the body, without its parameters. Nothing said means JSON. */
export function mediaTypeOf({ headers }: Request): string {
  const type = (headers["content-type"] ?? "").split(";", 1)[0]!.trim().toLowerCase();
  return type === "" || type === "*/*" ? "application/json" : type;
}

export function unsupportedMediaType(accepted: readonly string[]): Refusal {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`;
  return new Refusal(415, "UnsupportedMediaType", message);
}

/** The body as a value. Protobuf is not read: a client that sends it is told what is. */
export function bodyOf(request: Request, accepted: readonly string[]): unknown {
  const type = mediaTypeOf(request);
  if (!accepted.includes(type)) throw unsupportedMediaType(accepted);
  const text = textOfBody(request);
  return type.endsWith("json") ? jsonOf(text) : yamlOf(text);
}

export function textOfBody({ body = "" }: Request): string {
  return typeof body === "string" ? body : Buffer.from(body).toString();
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw badRequest(`the object provided is unrecognized (must be of type ...): ${messageOf(error)}`);
  }
}

/** Most who send YAML send JSON, which is YAML and much faster to read. */
export function yamlOf(text: string): unknown {
  if (text.startsWith("{")) return jsonOf(text);
  try {
    return readYaml(text, "body");
  } catch (error) {
    throw badRequest(`error decoding YAML: ${messageOf(error)}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
