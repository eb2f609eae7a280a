import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createSecureServer, type Http2ServerResponse } from "node:http2";
import { RealClock, type Clock } from "../core/clock/index.ts";
import type { Handler, Headers } from "../core/exchange/index.ts";
import { answerOver } from "./answer-over.ts";
import type { CertificateFiles } from "./certificate-files.ts";
import type { ServerRequest } from "./incoming-body.ts";
import { startListening } from "./listening.ts";
import { originOf, refuseConnection, refuseExpectation } from "./malformed-request.ts";
import type { ListenAddress } from "./serve-pages.ts";
import { headersOf } from "./write-answer.ts";

/** A handler that is served. */
type ServedHandler = { readonly url: string; readonly port: number; readonly close: () => Promise<void> };

type ServeHandlerOptions = {
  /** Where to listen. Without a host: on all interfaces. Default: any free port of loopback. */
  readonly listen?: ListenAddress;
  /** Serves TLS, with HTTP/2 and HTTP/1.1. Default: plain HTTP. */
  readonly certificate?: CertificateFiles;
  /** Ends bodies that never come, and answers that nobody takes. Default: the machine's. */
  readonly clock?: Clock;
  /** How long a client may take nothing of an answer. Default half a minute. */
  readonly stalledMs?: number;
};

const loopback = "127.0.0.1";
/** A client that sends its request slower than this is left. Answers may take as long as they want. */
const timeouts = { headersTimeout: 15_000, requestTimeout: 120_000, keepAliveTimeout: 75_000 };
/** More than the streams of all visitors, and what they ask for beside them. */
const maxConnections = 4000;

/** Serves a handler over HTTP, or over TLS with a certificate. */
export async function serveHandler(handler: Handler, options: ServeHandlerOptions = {}): Promise<ServedHandler> {
  const { listen = { host: loopback, port: 0 }, certificate, clock = new RealClock(), stalledMs = 30_000 } = options;
  const scheme = certificate === undefined ? "http" : "https";
  const serve = (request: ServerRequest, response: Http2ServerResponse) =>
    void answerOver(handler, request, response, { clock, stalledMs, requestOf: (signal) => requestIn(request, scheme, signal), failure });
  const server = certificate === undefined ? plainServer(serve) : secureServer(certificate, serve);
  server.maxConnections = maxConnections;
  server.on("clientError", refuseConnection);
  const { address, close } = await startListening(server, listen, { sockets: "connection", otherPort: "choose another one" });
  const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return { url: `${scheme}://${name}:${address.port}`, port: address.port, close };
}

/** What went wrong is the server's own, and nothing for a visitor. */
function failure() {
  return { type: "text/plain; charset=utf-8", text: "the server failed to answer\n" };
}

type Serve = (request: ServerRequest, response: Http2ServerResponse) => void;

function plainServer(serve: Serve): Server {
  // Node gives the answer of HTTP/1.1 all the methods that are used of that of HTTP/2.
  const serveFirst = (request: IncomingMessage, response: ServerResponse) => serve(request, response as unknown as Http2ServerResponse);
  const server = createServer(timeouts, serveFirst);
  server.on("checkContinue", serveFirst);
  server.on("checkExpectation", refuseExpectation);
  return server;
}

function secureServer(certificate: CertificateFiles, serve: Serve): ReturnType<typeof createSecureServer> {
  const server = createSecureServer({ ...certificate.current, allowHTTP1: true, handshakeTimeout: timeouts.headersTimeout });
  Object.assign(server, timeouts);
  server.on("request", serve);
  server.on("checkContinue", serve);
  server.on("checkExpectation", refuseExpectation);
  certificate.onChange((pair) => server.setSecureContext(pair));
  return server;
}

function requestIn(request: ServerRequest, scheme: "http" | "https", signal: AbortSignal) {
  const { method = "" } = request;
  const address = request.socket.remoteAddress;
  const peer = { scheme, ...(address === undefined ? {} : { address }) } as const;
  return { method, path: originOf(request.url) || "/", headers: sentHeaders(request), peer, signal };
}

/** HTTP/2 calls the host the authority. */
function sentHeaders(request: ServerRequest): Headers {
  const { ":authority": authority } = request.headers;
  const headers = headersOf(request);
  return authority === undefined || headers["host"] !== undefined ? headers : { ...headers, host: String(authority) };
}
