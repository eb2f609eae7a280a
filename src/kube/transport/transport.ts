import type { Socket } from "node:net";
import { promisify } from "node:util";
import { gunzip as gunzipCallback } from "node:zlib";
import type { Clock } from "../../core/clock/index.ts";
import type { Answer, Exchange, Headers, Request } from "../../core/exchange/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { answerTooLarge } from "../answer-limit.ts";
import { readBytes } from "../body.ts";
import { ConnectionFault } from "../connection-fault.ts";
import { orAborted } from "../selection.ts";
import { dial } from "./dial.ts";
import { answerLimitOf, type Endpoint, type SentHeaders } from "./endpoint.ts";
import type { AnswerLimit } from "./response-body.ts";
import { Http1Pool } from "./http1-pool.ts";
import { openHttp2Connection, type Http2Connection } from "./http2-connection.ts";

/** A transport to one server. */
export type Transport = {
  readonly exchange: Exchange;
  /** Opens new connections from now on, with the current certificate. */
  renew(): void;
  /** How many connections have ended so far. After each, the server may be another one. */
  lostConnections(): number;
  close(): void;
};

/** Opens connections as requests need them. With HTTP/2 all requests share one, and more are opened only at the server's limit. */
export function openTransport(endpoint: Endpoint, clock: Clock): Transport {
  const pool = new ConnectionPool(endpoint, clock);
  const prefix = new URL(endpoint.server).pathname.replace(/\/$/, "");
  const compressed = endpoint.compress === true;

  async function exchange(request: Request): Promise<Answer> {
    const parted = request.headers["impersonate-user"] === undefined ? request.headers : partedImpersonation(request.headers);
    const headers = compressed && request.method === "GET" ? { ...parted, "accept-encoding": "gzip" } : parted;
    const path = prefix === "" ? request.path : prefix + request.path;
    const answer = await sendOn(pool, request, headers, path);
    return answer.headers["content-encoding"] === "gzip" ? unzipped(answer, answerLimitOf(endpoint)) : answer;
  }

  return { exchange, renew: () => pool.renew(), lostConnections: () => pool.lostConnections, close: () => pool.close() };
}

/** How often a request is sent again on another connection. As in Go's client. */
const maxResends = 6;

/**
 * Sends on a connection of the pool. A connection that closes without having processed the request is replaced: a server
 * that answers one request of an unknown client with 401 and closes answers the others on connections of their own.
 * Models golang.org/x/net http2/transport.go RoundTripOpt
 */
async function sendOn(pool: ConnectionPool, request: Request, headers: SentHeaders, path: string): Promise<Answer> {
  for (let resends = 0; ; resends++) {
    // Selected and used in one turn, so that no other request takes the slot in between.
    let connection = pool.ready();
    while (connection === undefined) {
      await orAborted(pool.connect(), request.signal);
      connection = pool.ready();
    }
    try {
      return await connection.send(request, headers, path);
    } catch (error) {
      const unprocessed = error instanceof ConnectionFault && error.unsent && !connection.isUsable;
      if (!unprocessed || resends === maxResends || request.signal.aborted) throw error;
    }
  }
}

type HttpConnection = {
  /** Whether it may take further requests. */
  readonly isUsable: boolean;
  send(request: Request, headers: SentHeaders, path: string): Promise<Answer>;
};

/** The pool of connections to one server. */
class ConnectionPool {
  readonly #endpoint: Endpoint;
  readonly #clock: Clock;
  #http1: Http1Pool | undefined;
  #http2: Http2Connection[] = [];
  #connecting: Promise<void> | undefined;
  /** The sockets that are open or being opened, without those of HTTP/2. Of each connection all, the outermost last. */
  readonly #dialed = new Set<Socket[]>();
  /** All connections of HTTP/2 that have not ended, also those that take no more requests. */
  readonly #sessions = new Set<Http2Connection>();
  #closed = false;
  #known = false;
  /** How many connections have ended. */
  lostConnections = 0;

  constructor(endpoint: Endpoint, clock: Clock) {
    this.#endpoint = endpoint;
    this.#clock = clock;
  }

  ready(): HttpConnection | undefined {
    if (this.#http1 !== undefined) return this.#http1;
    const [first] = this.#http2;
    if (first?.hasRoom) return first;
    this.#http2 = this.#http2.filter((connection) => connection.isUsable);
    return this.#http2.find((connection) => connection.hasRoom);
  }

  /** Opens one more connection for all waiting requests. */
  connect(): Promise<void> {
    this.#connecting ??= this.#connect().finally(() => (this.#connecting = undefined));
    return this.#connecting;
  }

  renew(): void {
    for (const connection of this.#http2) connection.retire();
    this.#http2 = [];
    this.#http1?.retire();
    this.#http1 = undefined;
  }

  close(): void {
    this.#closed = true;
    // A session destroys its own socket. Node crashes when somebody else does so at the same time.
    for (const connection of this.#sessions) connection.destroy();
    this.#http2 = [];
    this.#http1?.destroy();
    this.#http1 = undefined;
    for (const sockets of this.#dialed) sockets.at(-1)?.destroy();
  }

  async #connect(): Promise<void> {
    const { server } = this.#endpoint;
    if (this.#closed) throw new ConnectionFault(`the connection to ${server} has been closed`, { transient: false, unsent: true });
    const { socket, protocol, sockets } = await this.#dial();
    if (this.#closed) return void socket.destroy();
    this.#known = true;
    if (protocol === "h2") return this.#openHttp2(socket, sockets);
    this.#http1 = new Http1Pool(answerLimitOf(this.#endpoint), () => this.#dialHttp1(), socket);
  }

  /** Each connection negotiates its own protocol: behind one address, another server may answer tomorrow. */
  async #dialHttp1(): Promise<Socket> {
    const { server } = this.#endpoint;
    const { socket, protocol, sockets } = await this.#dial();
    if (protocol === "http/1.1") return socket;
    await this.#openHttp2(socket, sockets);
    this.#http1?.retire();
    this.#http1 = undefined;
    throw new ConnectionFault(`${server} now speaks HTTP/2`, { unsent: true });
  }

  async #openHttp2(socket: Socket, sockets: Socket[]): Promise<void> {
    const connection = await openHttp2Connection(answerLimitOf(this.#endpoint), socket, this.#clock);
    this.#dialed.delete(sockets);
    this.#sessions.add(connection);
    socket.once("close", () => this.#sessions.delete(connection));
    if (this.#closed) connection.destroy();
    else this.#http2.push(connection);
  }

  async #dial() {
    const sockets: Socket[] = [];
    this.#dialed.add(sockets);
    try {
      const onSocket = (socket: Socket) => void sockets.push(socket);
      const connection = await dial(this.#endpoint, { clock: this.#clock, known: this.#known, onSocket });
      connection.socket.once("close", () => {
        this.lostConnections++;
        this.#dialed.delete(sockets);
      });
      return { ...connection, sockets };
    } catch (error) {
      this.#dialed.delete(sockets);
      throw error;
    }
  }
}

/** Splits impersonated groups and extra values into one header each. Joined, the server would take them for one value. */
function partedImpersonation(headers: Headers): SentHeaders {
  const parted = Object.entries(headers).map(([name, value]): [string, string | string[]] => {
    return name === "impersonate-group" || name.startsWith("impersonate-extra-") ? [name, value.split(", ")] : [name, value];
  });
  return Object.fromEntries(parted);
}

const gunzip = promisify(gunzipCallback);

async function unzipped(answer: Answer, { server, maxBytes }: AnswerLimit): Promise<Answer> {
  const { "content-encoding": _, "content-length": __, ...headers } = answer.headers;
  const zipped = await readBytes(answer.body);
  try {
    return { status: answer.status, headers, body: [await gunzip(zipped, { maxOutputLength: maxBytes })] };
  } catch (error) {
    const isTooLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw isTooLarge ? answerTooLarge(server, maxBytes) : new Fault(`${server} sends what is no gzip`, error);
  }
}
