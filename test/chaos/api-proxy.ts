import { once } from "node:events";
import { createSecureServer, type Http2ServerRequest } from "node:http2";
import { Agent, createServer, request as sendRequest } from "node:https";
import type { IncomingMessage } from "node:http";
import type { AddressInfo, Server, Socket } from "node:net";
import type { ClusterCredentials } from "../cluster/cluster-credentials.ts";

type Incoming = IncomingMessage | Http2ServerRequest;
/** What the answers of both protocols have in common. */
type Outgoing = {
  readonly headersSent: boolean;
  writeHead(status: number, headers: Record<string, string | string[]>): unknown;
  write(piece: Buffer): unknown;
  end(text: string): unknown;
  on(event: "close", then: () => void): unknown;
  destroy(): unknown;
};

/** Headers that belong to one connection and are not passed on. */
const connectionHeaders = new Set(["connection", "host", "keep-alive", "transfer-encoding", "upgrade", "te", "http2-settings"]);

/** The protocol that the endpoint offers. */
type Protocol = "h2" | "http/1.1";

/** A proxy that ends TLS before an API server, as a load balancer does, and can answer in its place. */
export class ApiProxy {
  readonly #credentials: ClusterCredentials;
  readonly #upstream: number;
  readonly #agent: Agent;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  port = 0;
  /** The status to answer a request with. Undefined: the API server answers it. */
  refusalOf: () => number | undefined = () => undefined;

  constructor(credentials: ClusterCredentials, upstream: number) {
    this.#credentials = credentials;
    this.#upstream = upstream;
    this.#agent = new Agent({ keepAlive: true, ca: credentials.authority.certificate });
  }

  /** Listens, on the same port again after `close`. */
  async open(protocol: Protocol): Promise<void> {
    const { certificate: cert, key } = this.#credentials.apiserver;
    const handle = (incoming: Incoming, outgoing: Outgoing) => this.#handle(incoming, outgoing);
    const server = protocol === "h2" ? createSecureServer({ cert, key }, handle) : createServer({ cert, key }, handle);
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => this.#sockets.delete(socket));
    });
    server.on("sessionError", () => {}); // the socket has been destroyed
    server.listen(this.port, "127.0.0.1");
    await once(server, "listening");
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = once(server, "close");
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #handle(incoming: Incoming, outgoing: Outgoing): void {
    const refusal = this.refusalOf();
    if (refusal === undefined) return this.#forward(incoming, outgoing);
    incoming.resume();
    refuse(outgoing, refusal);
  }

  #forward(incoming: Incoming, outgoing: Outgoing): void {
    const { method, url: path } = incoming;
    const isFramed = method === "GET" || incoming.headers["content-length"] !== undefined;
    // A body without a length would be taken for the next request.
    const headers = { ...passedOn(incoming.headers), ...(!isFramed && { "transfer-encoding": "chunked" }) };
    const upstream = sendRequest({ agent: this.#agent, host: "127.0.0.1", port: this.#upstream, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, passedOn(answer.headers));
      answer.on("data", (piece: Buffer) => void outgoing.write(piece));
      answer.on("end", () => outgoing.end(""));
      answer.on("error", () => outgoing.destroy());
      answer.on("aborted", () => outgoing.destroy());
    });
    upstream.on("error", () => (outgoing.headersSent ? outgoing.destroy() : refuse(outgoing, 502)));
    outgoing.on("close", () => upstream.destroy());
    incoming.on("error", () => upstream.destroy());
    incoming.pipe(upstream);
  }
}

function refuse(outgoing: Outgoing, code: number): void {
  const status = { apiVersion: "v1", kind: "Status", status: "Failure", code, message: "the proxy has refused it" };
  outgoing.writeHead(code, { "content-type": "application/json", ...(code === 429 && { "retry-after": "1" }) });
  outgoing.end(JSON.stringify(status));
}

function passedOn(headers: NodeJS.Dict<string | string[]>): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(([name]) => !name.startsWith(":") && !connectionHeaders.has(name));
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
