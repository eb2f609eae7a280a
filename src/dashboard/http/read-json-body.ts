import type { Answer, IncomingRequest } from "../../core/exchange/index.ts";
import { problemAnswer } from "./answers.ts";

/** How long a body may take to arrive. */
const timeoutMs = 30_000;

/**
 * The JSON of a request, or the answer that refuses it. Only `application/json` is read: a page of another site cannot send it
 * without asking first, which is refused.
 */
export async function readJsonBody(
  { headers, body }: Pick<IncomingRequest, "headers" | "body">,
  maxBytes: number,
): Promise<{ readonly value: unknown } | { readonly refusal: Answer }> {
  if (!/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? ""))
    return { refusal: problemAnswer(415, "Send it as application/json.") };
  const bytes = await bytesOf(body, maxBytes + 1);
  if (bytes === undefined) return { refusal: problemAnswer(408, "The request did not arrive in time.") };
  if (bytes.length > maxBytes) return { refusal: problemAnswer(413, `The request is longer than ${maxBytes} bytes.`) };
  try {
    return { value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return { refusal: problemAnswer(400, "The request is no JSON.") };
  }
}

async function bytesOf(body: IncomingRequest["body"], maxBytes: number): Promise<Uint8Array | undefined> {
  if (body === undefined) return new Uint8Array();
  if (typeof body === "string") return new TextEncoder().encode(body);
  return body instanceof Uint8Array ? body : body.read(maxBytes, timeoutMs);
}
