import type { Answer, IncomingRequest, Request } from "../../core/exchange/index.ts";
import { anonymousUser } from "../authentication/index.ts";
import { badRequestError, type StatusError } from "../status-error.ts";
import { attributesOf } from "./request-attributes.ts";
import { maxBodyBytes } from "./request-body.ts";

/** How long a request may take at most. Models apiserver pkg/server/config.go RequestTimeout */
const longestMs = 60_000;

const longRunningVerbs = new Set(["watch", "proxy"]);
const longRunningSubresources = new Set(["attach", "exec", "proxy", "log", "portforward"]);
const withBody = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** The request with as much of its body as anybody reads. Undefined when that takes too long. */
export async function receivedRequest(incoming: IncomingRequest, timeoutMs: number): Promise<Request | undefined> {
  const { body, ...headed } = incoming;
  if (body === undefined) return headed;
  if (typeof body === "string" || body instanceof Uint8Array) return { ...headed, body };
  if (!withBody.has(headed.method)) return headed;
  // One byte past the limit shows that a body is too long.
  const bytes = await body.read(maxBodyBytes + 1, timeoutMs);
  return bytes === undefined ? undefined : { ...headed, body: bytes };
}

/** The time that a request has, which it may shorten. Models apiserver pkg/endpoints/filters/request_deadline.go */
export function requestTimeoutMs({ method }: IncomingRequest, path: string, query: URLSearchParams): number {
  const text = query.get("timeout") ?? "";
  if (text === "") return longestMs;
  const attributes = attributesOf(anonymousUser, method, path, query);
  if (longRunningVerbs.has(attributes.verb)) return longestMs;
  if ("resource" in attributes && longRunningSubresources.has(attributes.subresource)) return longestMs;
  const asked = durationMs(text);
  return asked > 0 && asked < longestMs ? asked : longestMs;
}

const units: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
/** 2^63 nanoseconds. */
const endMs = 2 ** 63 / 1e6;

/** Models the quote of Go's time package: what is no ASCII text is bytes. */
function quotedBytes(text: string): string {
  const plain = text.replaceAll(/["\\]/g, "\\$&");
  return `"${plain.replaceAll(/[^ -~]/gu, (part) => Buffer.from(part).toString("hex").replaceAll(/../g, "\\x$&"))}"`;
}

function badTimeout(why: string): StatusError {
  return badRequestError(`invalid timeout specified in the request URL - time: ${why}`);
}

/** Models Go's time.ParseDuration, whose words are part of the answer. */
function durationMs(text: string): number {
  const quoted = quotedBytes(text);
  const [, sign = "", rest = ""] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (rest === "0") return 0;
  let total = 0;
  let at = 0;
  for (const [part, amount = "", unit = ""] of rest.matchAll(/(\d+(?:\.\d*)?|\.\d+)([^\d.]*)/gy)) {
    if (unit === "") throw badTimeout(`missing unit in duration ${quoted}`);
    const size = units[unit];
    if (size === undefined) throw badTimeout(`unknown unit ${quotedBytes(unit)} in duration ${quoted}`);
    total += Number(amount) * size;
    at += part.length;
  }
  if (rest === "" || at < rest.length || total >= endMs) throw badTimeout(`invalid duration ${quoted}`);
  return sign === "-" ? -total : total;
}

/** The filter that ends slow requests knows no media types. Models apiserver pkg/server/filters/timeout.go */
export function timeoutAnswer(): Answer {
  const message = "Timeout: request did not complete within the allotted timeout";
  const status = { metadata: {}, status: "Failure", message, reason: "Timeout", details: {}, code: 504 };
  return { status: 504, headers: { "content-type": "text/plain; charset=utf-8" }, body: [`${JSON.stringify(status)}\n`] };
}
