import { constants, type Http2ServerResponse } from "node:http2";
import type { Clock } from "../core/clock/index.ts";
import type { Answer, Chunk, Headers } from "../core/exchange/index.ts";
import type { RequestBody, ServerRequest } from "./incoming-body.ts";

/** The headers of a request, each as one text. */
export function headersOf({ headers }: ServerRequest): Headers {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !name.startsWith(":")) plain[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return plain;
}

type WriteOptions = {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly received: RequestBody | undefined;
  /** How long a client may take nothing of an answer. Default five minutes. */
  readonly stalledMs?: number;
};

/** Sends an answer as fast as the client takes it. A client that takes nothing for too long is left. */
export async function writeAnswer(
  answer: Answer,
  response: Http2ServerResponse,
  { signal, clock, received, stalledMs = 5 * 60_000 }: WriteOptions,
): Promise<void> {
  const { status, headers, body } = answer;
  const isLast = received?.isLeft ?? false;
  response.writeHead(status, isLast ? { ...headers, ...lengthOf(body), connection: "close" } : headers);
  // A watch without events must still send its headers. HTTP/2 sends them by itself.
  if ("flushHeaders" in response && typeof response.flushHeaders === "function") response.flushHeaders();
  for await (const chunk of body) {
    if (signal.aborted) return;
    // Node makes room for three times the length of a text, and none for bytes.
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    if (!response.write(bytes) && !(await drained(response, signal, clock, stalledMs))) return void abort(response);
  }
  // The end of the answer closes the connection. A client that still sends would lose what it has not read of the answer.
  if (isLast) await received?.linger();
  response.end();
  received?.close();
}

/** With its length, an answer is complete for the client before the connection is closed. */
function lengthOf(body: Answer["body"]): Headers {
  if (!Array.isArray(body)) return {};
  return { "content-length": String(body.reduce((sum: number, chunk: Chunk) => sum + Buffer.byteLength(chunk), 0)) };
}

/** Waits until the client has taken what was written; false when it takes nothing for too long. */
function drained(response: Http2ServerResponse, signal: AbortSignal, clock: Clock, stalledMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(stalledMs, () => resolve(false), { background: true });
    const done = () => {
      cancel();
      response.off("drain", done);
      signal.removeEventListener("abort", done);
      resolve(true);
    };
    response.on("drain", done);
    signal.addEventListener("abort", done);
  });
}

/** Closes the stream of an answer, or the connection of HTTP/1.1. */
function abort(response: Http2ServerResponse): void {
  if (response.stream === undefined) response.socket?.destroy();
  else response.stream.close(constants.NGHTTP2_CANCEL);
}
