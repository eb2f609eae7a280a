import { createSecureServer, type Http2ServerResponse } from "node:http2";
import { RealClock, type Clock } from "../core/clock/index.ts";
import type { Handler } from "../core/exchange/index.ts";
import { issueCertificate, createCertificateAuthority, type CertificateKeyPair } from "../lang/x509/index.ts";
import { answerOver } from "./answer-over.ts";
import type { ServerRequest } from "./incoming-body.ts";
import { startListening } from "./listening.ts";
import { malformedRequest, originOf, refuseConnection, refuseExpectation, refuseRequest } from "./malformed-request.ts";
import { PeerCertificates } from "./peer-certificates.ts";
import { headersOf } from "./write-answer.ts";

/** A served exchange, and what a client needs to connect. */
export type ServedExchange = {
  readonly url: string;
  /** The CA certificate of the server. */
  readonly authority: string;
  /** The client certificate of the administrator. */
  readonly client: CertificateKeyPair;
  readonly close: () => Promise<void>;
};

const loopback = "127.0.0.1";
/** As Go's server, which an API server is. Each of Node's own limits is far below. */
const maxHeaderBytes = 1024 * 1024;
/** As an API server takes them. Node takes nine frames of headers: of its default size, they are 144 KB. */
const maxFrameSize = 256 * 1024;
const headerLimits = {
  maxHeaderSize: maxHeaderBytes,
  maxHeaderListPairs: maxHeaderBytes / 64,
  settings: { maxHeaderListSize: maxHeaderBytes, maxFrameSize },
  // A request without a host is refused in the words of Go.
  requireHostHeader: false,
};
/** The answers of one connection that wait to be sent, in MB. At Node's limit of 10, which a few lists exceed, requests are refused. */
const maxSessionMemory = 1000;
/** As a real API server's. A body has the time of its request. Models apiserver pkg/server/secure_serving.go */
const timeouts = { headersTimeout: 32_000, keepAliveTimeout: 90_000 };
const dayMs = 24 * 3_600_000;

/** The authority of a served exchange: it signs the server's certificate and those of clients. */
export function createServingAuthority(name: string, now: Date): CertificateKeyPair {
  return createCertificateAuthority(`${name}-ca`, validityFrom(now));
}

function validityFrom(now: Date): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now.getTime() - dayMs), notAfter: new Date(now.getTime() + 365 * dayMs) };
}

type ServeOptions = {
  /** Default: any free port. */
  readonly port?: number;
  readonly name?: string;
  /** Default: a new one, called after `name`. */
  readonly authority?: CertificateKeyPair;
  readonly now: Date;
  /** Ends bodies that never come. Default: the machine's. */
  readonly clock?: Clock;
};

/**
 * Serves an exchange over HTTPS on loopback, with HTTP/2 and HTTP/1.1. The exchange learns by which certificate a client
 * connects, and decides what it may do.
 */
export async function serveExchange(
  handler: Handler,
  { port = 0, name = "sluice", now, authority = createServingAuthority(name, now), clock = new RealClock() }: ServeOptions,
): Promise<ServedExchange> {
  const validity = validityFrom(now);
  const identity = issueCertificate(
    authority,
    { commonName: "kube-apiserver", hosts: [loopback, "localhost"], usages: ["server"] },
    validity,
  );
  const client = issueCertificate(authority, { commonName: "admin", organizations: ["system:masters"], usages: ["client"] }, validity);

  const server = createSecureServer({
    key: identity.key,
    cert: identity.certificate,
    ca: authority.certificate,
    allowHTTP1: true,
    ...headerLimits,
    maxSessionMemory,
    handshakeTimeout: timeouts.headersTimeout,
    requestCert: true,
    // The exchange answers clients without a trusted certificate: they may have a token.
    rejectUnauthorized: false,
  });
  Object.assign(server, timeouts);
  const peers = new PeerCertificates();
  const serve = (request: ServerRequest, response: Http2ServerResponse) =>
    void answerOver(handler, request, response, { clock, requestOf: (signal) => requestIn(request, response, peers, signal), failure });
  server.on("request", serve);
  // The client waits until somebody wants its body.
  server.on("checkContinue", serve);
  server.on("checkExpectation", refuseExpectation);
  server.on("clientError", refuseConnection);
  const address = { host: loopback, port };
  const listening = await startListening(server, address, { sockets: "secureConnection", otherPort: "choose another with --port" });
  return { url: `https://${loopback}:${listening.address.port}`, authority: authority.certificate, client, close: listening.close };
}

/** What the exchange is asked; undefined when the request is answered before. */
function requestIn(request: ServerRequest, response: Http2ServerResponse, peers: PeerCertificates, signal: AbortSignal) {
  const refusal = malformedRequest(request);
  if (refusal !== undefined) return void refuseRequest(request, response, refusal);
  const { method = "" } = request;
  const path = originOf(request.url);
  if (path === "*") return void response.writeHead(200).end();
  return { method, path, headers: headersOf(request), peer: peers.of(request), signal };
}

function failure(error: unknown) {
  const message = error instanceof Error ? error.message : String(error);
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason: "InternalError", code: 500 };
  return { type: "application/json", text: JSON.stringify(status) };
}
