import type { Answer, IncomingRequest } from "../../core/exchange/index.ts";
import type { ApiStatus } from "../status-error.ts";
import { negotiateMediaType, noTransform } from "./negotiation.ts";
import { encoderFor, type ResponseEncoder, type RuntimeObject } from "./response-encoder.ts";

const json = { "content-type": "application/json" };

export function jsonAnswer(status: number, text: string): Answer {
  return { status, headers: json, body: [text] };
}

/** An object in the media type of the encoder. */
export function encodedAnswer(encoder: ResponseEncoder, status: number, object: RuntimeObject, warnings: readonly string[] = []): Answer {
  const answer = { status, headers: { "content-type": encoder.contentType }, body: encoder.encodeBody(object) };
  return withWarnings(answer, warnings);
}

/** The encoder for what belongs to no resource: a Status, or a document of discovery. JSON when the client accepts nothing else. */
export function plainEncoderFor(request: IncomingRequest): ResponseEncoder {
  const options = negotiateMediaType(request.headers["accept"] ?? "", noTransform);
  return encoderFor(request, options?.mediaType ?? "application/json");
}

export function statusAnswer(status: ApiStatus, encoder: ResponseEncoder): Answer {
  const answer = encodedAnswer(encoder, status.code, status);
  const seconds = status.details?.retryAfterSeconds;
  return seconds === undefined ? answer : { ...answer, headers: { ...answer.headers, "retry-after": String(seconds) } };
}

export function withWarnings(answer: Answer, warnings: readonly string[]): Answer {
  if (warnings.length === 0) return answer;
  const before = answer.headers["warning"];
  const warning = [...(before === undefined ? [] : [before]), ...warnings.map(warningText)].join(", ");
  return { ...answer, headers: { ...answer.headers, warning } };
}

/** The headers of every answer. Models apiserver pkg/endpoints/filters WithAuditInit and WithCacheControl */
export function withAuditId(answer: Answer, id: string): Answer {
  return { ...answer, headers: { "cache-control": "no-cache, private", ...answer.headers, "audit-id": id } };
}

export function plainAnswer(status: number, text: string): Answer {
  return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body: [text] };
}

/** Models apimachinery pkg/util/net/http.go NewWarningHeader */
function warningText(message: string): string {
  return `299 - "${message.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
