import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Clock } from "../core/clock/index.ts";
import type { IncomingBody } from "../core/exchange/index.ts";

/** What a server gets over HTTP/1.1 or HTTP/2. */
export type ServerRequest = IncomingMessage | Http2ServerRequest;

/** How much of a body that nobody wants is read so that the connection can go on. As Go's net/http maxPostHandlerReadBytes */
const maxDiscardedBytes = 256 * 1024;
/** How long a client may go on sending before the connection is cut, so that it sees the answer first. */
const lingerMs = 500;

/** Whether a body follows the headers of a request. */
export function hasBody(request: ServerRequest): boolean {
  if ("stream" in request) return !request.stream.endAfterHeaders;
  return request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"] ?? 0) > 0;
}

/** The body of a request, which is not read before it is asked for. Only then is a client told to send it that waits for that. */
export class RequestBody implements IncomingBody {
  readonly #request: ServerRequest;
  readonly #response: Http2ServerResponse;
  readonly #clock: Clock;
  #isLate = false;

  constructor(request: ServerRequest, response: Http2ServerResponse, clock: Clock) {
    this.#request = request;
    this.#response = response;
    this.#clock = clock;
  }

  async read(maxBytes: number, timeoutMs: number): Promise<Uint8Array | undefined> {
    if (this.#isAwaited) this.#response.writeContinue();
    const late = Promise.withResolvers<undefined>();
    const cancel = this.#clock.after(timeoutMs, () => late.resolve(undefined), { background: true });
    try {
      const bytes = await Promise.race([bytesOf(this.#request, maxBytes), late.promise]);
      this.#isLate = bytes === undefined;
      return bytes;
    } finally {
      cancel();
    }
  }

  /** Whether the client sends it only when it is told to. */
  get #isAwaited(): boolean {
    return this.#request.headers["expect"] !== undefined && !("stream" in this.#request && this.#request.stream.headersSent);
  }

  /** Whether the connection can only be closed after the answer: more of the body is on its way than is worth reading. */
  get isLeft(): boolean {
    const request = this.#request;
    if ("stream" in request || request.complete) return false;
    const { expect, "content-length": length = Infinity } = request.headers;
    return this.#isLate || expect !== undefined || Number(length) > maxDiscardedBytes;
  }

  /** Gives a client that still sends the time to read an answer. Nothing more is read from it. */
  linger(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(lingerMs, resolve, { background: true });
      this.#response.once("close", () => (cancel(), resolve()));
    });
  }

  /** Tells the client that no more of the body is wanted, where the connection goes on. Models RFC 9113, 8.1 */
  close(): void {
    if (!("stream" in this.#request)) return;
    const { stream } = this.#request;
    if (stream.readableEnded) return;
    // A stream that is closed with its last frame still to be sent stays open.
    const end = () => setImmediate(() => stream.close());
    if (stream.writableFinished) end();
    else stream.once("finish", end);
  }
}

async function bytesOf(request: ServerRequest, maxBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  // The socket is still needed for the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}
