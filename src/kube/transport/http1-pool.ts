import { Agent, request as sendRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { Answer, Headers, Request } from "../../core/exchange/index.ts";
import { ConnectionFault } from "../connection-fault.ts";
import { ResponseBody, type AnswerLimit } from "./response-body.ts";
import type { SentHeaders } from "./endpoint.ts";
import { connectionFaultOf } from "./connection-fault-of.ts";

/** A pool of HTTP/1.1 connections, opened by `dial`. `spare` is an open connection to start with. */
export class Http1Pool {
  readonly #server: string;
  readonly #limit: AnswerLimit;
  readonly #host: string;
  readonly #agent: DialingAgent;

  constructor(limit: AnswerLimit, dial: () => Promise<Socket>, spare?: Socket) {
    const { server } = limit;
    this.#limit = limit;
    this.#server = server;
    this.#host = new URL(server).host;
    this.#agent = new DialingAgent(dial, spare);
  }

  /** Whether it takes requests: it dials anew for each that finds no open connection. */
  get isUsable(): boolean {
    return !this.#agent.isRetired;
  }

  /** Closes idle connections, and the others as soon as they are idle. */
  retire(): void {
    this.#agent.retire();
  }

  destroy(): void {
    this.#agent.destroy();
  }

  send(request: Request, headers: SentHeaders, path: string): Promise<Answer> {
    const { method, body, signal } = request;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const sent = sendRequest({ agent: this.#agent, method, path, headers: { host: this.#host, ...headers, ...lengthOf(body) } });
      const abort = () => {
        sent.destroy();
        reject(signal.reason);
      };
      sent.on("error", (error) => reject(signal.aborted ? signal.reason : connectionFaultOf(this.#server, error)));
      sent.on("close", () => signal.removeEventListener("abort", abort));
      sent.on("response", (message) => resolve(this.#answer(message, signal)));
      signal.addEventListener("abort", abort);
      sent.end(body);
    });
  }

  #answer(message: IncomingMessage, signal: AbortSignal): Answer {
    const lost = () => {
      if (message.complete) return undefined;
      return signal.aborted ? signal.reason : new ConnectionFault(`the connection to ${this.#server} broke`, { code: "ECONNRESET" });
    };
    return { status: message.statusCode ?? 0, headers: plain(message.headers), body: new ResponseBody(message, lost, this.#limit) };
  }
}

/** An agent that opens connections with `dial`: through proxies, with faults that explain themselves. */
class DialingAgent extends Agent {
  readonly #dial: () => Promise<Socket>;
  #spare: Socket | undefined;
  isRetired = false;

  constructor(dial: () => Promise<Socket>, spare: Socket | undefined) {
    super({ keepAlive: true, scheduling: "lifo" });
    this.#dial = dial;
    this.#spare = spare;
    spare?.on("error", () => (this.#spare = undefined));
  }

  override createConnection(_options: unknown, give: (error: Error | null, stream: Duplex) => void = () => {}): undefined {
    const spare = this.#spare;
    this.#spare = undefined;
    if (spare !== undefined && !spare.destroyed) {
      give(null, spare);
      return;
    }
    this.#dial().then(
      (socket) => give(null, socket),
      (error) => give(error, new Duplex()), // with an error, the stream is ignored
    );
  }

  override keepSocketAlive(socket: Duplex): boolean {
    return !this.isRetired && Boolean(super.keepSocketAlive(socket));
  }

  retire(): void {
    this.isRetired = true;
    this.#spare?.destroy();
    for (const sockets of Object.values(this.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }
}

function lengthOf(body: Request["body"]): Headers {
  return body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
}

function plain(received: IncomingHttpHeaders): Headers {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(received)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return headers;
}
