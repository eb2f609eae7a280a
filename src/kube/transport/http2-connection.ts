import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream, type IncomingHttpHeaders } from "node:http2";
import type { Socket } from "node:net";
import type { Clock } from "../../core/clock/index.ts";
import type { Answer, Headers, Request } from "../../core/exchange/index.ts";
import { ConnectionFault } from "../connection-fault.ts";
import { ResponseBody, type AnswerLimit } from "./response-body.ts";
import type { SentHeaders } from "./endpoint.ts";
import { connectionFaultOf } from "./connection-fault-of.ts";

/** As in Go's client: small windows would cost a large list many round trips. */
const streamWindow = 4 * 1024 * 1024;
const sessionWindow = 2 ** 30;
/** Pings detect a connection that is dead without notice. Models apimachinery pkg/util/net/http.go configureHTTP2Transport */
const pingEveryMs = 30_000;
const pingTimeoutMs = 15_000;
/**
 * A request without an answer for this long is reason to ping at once, with less patience: a connection that was cut
 * without notice must be replaced before a Lease is lost, 12 s after its last renewal, and the next one begins 4 s after it.
 */
const answerDueMs = 2_000;
const probeTimeoutMs = 4_000;
/** How long a server may take to send its settings, which are the first thing that it says. */
const settingsTimeoutMs = 10_000;
/** The maximum number of concurrent requests on one connection, whatever the server allows. */
const maxStreams = 1000;

/** One HTTP/2 connection with many concurrent requests. */
export class Http2Connection {
  readonly #server: string;
  readonly #limit: AnswerLimit;
  readonly #session: ClientHttp2Session;
  readonly #clock: Clock;
  #open = 0;
  #stopPinging: () => void;
  #isProbing = false;
  #retired = false;

  constructor(limit: AnswerLimit, session: ClientHttp2Session, clock: Clock) {
    this.#limit = limit;
    this.#server = limit.server;
    this.#session = session;
    this.#clock = clock;
    this.#stopPinging = clock.after(pingEveryMs, () => this.#ping(), { background: true });
    // The server accepts no new requests here. Those in flight complete.
    session.on("goaway", () => (this.#retired = true));
    session.on("close", () => this.#end());
    session.on("error", () => this.#end());
  }

  /** Whether the connection takes one more request. */
  get hasRoom(): boolean {
    const { maxConcurrentStreams = maxStreams } = this.#session.remoteSettings;
    return this.isUsable && this.#open < Math.min(maxConcurrentStreams, maxStreams);
  }

  get isUsable(): boolean {
    return !this.#retired && !this.#session.closed && !this.#session.destroyed;
  }

  /** Takes no more requests, and closes after the last one. */
  retire(): void {
    this.#retired = true;
    this.#session.close();
  }

  destroy(): void {
    this.#end();
    this.#session.destroy();
  }

  send(request: Request, headers: SentHeaders, path: string): Promise<Answer> {
    const { method, body, signal } = request;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const stream = this.#request({ ...headers, ":method": method, ":path": path }, body === undefined);
      if (stream === undefined) return reject(new ConnectionFault(`the connection to ${this.#server} closed`, { unsent: true }));
      this.#open++;
      const abort = () => {
        stream.close(constants.NGHTTP2_CANCEL);
        reject(signal.reason);
      };
      const lost = () => (signal.aborted ? signal.reason : this.#lossOf(stream));
      const stopWaiting = this.#clock.after(answerDueMs, () => this.#probe(), { background: true });
      let isAnswered = false;
      const fail = (error?: unknown) => {
        if (!isAnswered) reject(lost() ?? connectionFaultOf(this.#server, error ?? "it closed without an answer"));
      };
      stream.on("error", fail);
      stream.on("close", () => {
        this.#open--;
        stopWaiting();
        signal.removeEventListener("abort", abort);
        fail();
      });
      stream.on("response", (received) => {
        isAnswered = true;
        stopWaiting();
        resolve({ status: received[":status"] ?? 0, headers: plain(received), body: new ResponseBody(stream, lost, this.#limit) });
      });
      signal.addEventListener("abort", abort);
      if (body !== undefined) stream.end(body);
    });
  }

  #request(headers: SentHeaders, endStream: boolean): ClientHttp2Stream | undefined {
    try {
      return this.#session.request(headers, { endStream });
    } catch {
      return undefined; // the session has just closed: nothing was sent
    }
  }

  /** The error of a stream that was reset instead of ended. A refused stream was not processed by the server. */
  #lossOf(stream: ClientHttp2Stream): ConnectionFault | undefined {
    const code = stream.rstCode;
    if (code === undefined || (code === constants.NGHTTP2_NO_ERROR && !stream.aborted)) return undefined;
    const unsent = code === constants.NGHTTP2_REFUSED_STREAM;
    return new ConnectionFault(`the connection to ${this.#server} broke`, { code: "ECONNRESET", unsent });
  }

  #ping(): void {
    if (!this.isUsable) return;
    const giveUp = this.#clock.after(pingTimeoutMs, () => this.destroy(), { background: true });
    const sent = this.#session.ping(() => {
      giveUp();
      if (this.isUsable) this.#stopPinging = this.#clock.after(pingEveryMs, () => this.#ping(), { background: true });
    });
    if (!sent) giveUp();
  }

  /** Pings now, once at a time, whether the connection takes further requests or not. */
  #probe(): void {
    if (this.#isProbing || this.#session.destroyed) return;
    this.#isProbing = true;
    const giveUp = this.#clock.after(probeTimeoutMs, () => this.destroy(), { background: true });
    const done = () => {
      giveUp();
      this.#isProbing = false;
    };
    if (!this.#session.ping(done)) done();
  }

  #end(): void {
    this.#retired = true;
    this.#stopPinging();
  }
}

/** Starts HTTP/2 on a connected socket. Resolves after the server's settings have arrived. */
export function openHttp2Connection(limit: AnswerLimit, socket: Socket, clock: Clock): Promise<Http2Connection> {
  const { server } = limit;
  return new Promise((resolve, reject) => {
    const settings = { initialWindowSize: streamWindow, enablePush: false };
    const session = connect(server, { createConnection: () => socket, settings });
    const fail = (error?: unknown) =>
      reject(connectionFaultOf(server, error ?? Object.assign(new Error("closed"), { code: "ECONNRESET" }), { unsent: true }));
    // Until then nobody else would notice that the connection was cut.
    const cancel = clock.after(settingsTimeoutMs, () => session.destroy());
    session.once("error", fail);
    session.once("close", fail);
    session.once("close", cancel);
    session.once("connect", () => session.setLocalWindowSize(sessionWindow));
    session.once("remoteSettings", () => {
      cancel();
      session.off("error", fail);
      session.off("close", fail);
      resolve(new Http2Connection(limit, session, clock));
    });
  });
}

function plain(received: IncomingHttpHeaders): Headers {
  const headers: Record<string, string> = {};
  for (const name in received) {
    const value = received[name];
    if (typeof value === "string") headers[name] = value;
    else if (Array.isArray(value)) headers[name] = value.join(", ");
  }
  return headers;
}
