import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { Fault } from "../core/fault/index.ts";
import type { Answer, Exchange, Headers } from "../core/exchange/index.ts";
import { issueCertificate, createCertificateAuthority, type CertificateKeyPair } from "../lang/x509/index.ts";
import { PeerCertificates } from "./peer-certificates.ts";

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
const headerLimits = {
  maxHeaderSize: maxHeaderBytes,
  maxHeaderListPairs: maxHeaderBytes / 64,
  settings: { maxHeaderListSize: maxHeaderBytes },
};
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
};

/**
 * Serves an exchange over HTTPS on loopback, with HTTP/2 and HTTP/1.1. The exchange learns by which certificate a client
 * connects, and decides what it may do.
 */
export async function serveExchange(
  exchange: Exchange,
  { port = 0, name = "sluice", now, authority = createServingAuthority(name, now) }: ServeOptions,
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
    requestCert: true,
    // The exchange answers clients without a trusted certificate: they may have a token.
    rejectUnauthorized: false,
  });
  const sockets = new Set<TLSSocket>();
  server.on("secureConnection", (socket: TLSSocket) => {
    // An answer in several writes must not wait for the client to acknowledge the first. HTTP/2 sets this by itself.
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const peers = new PeerCertificates();
  server.on("request", (request, response) => void answerOver(exchange, peers, request, response));
  await listen(server, port);
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { url: `https://${loopback}:${(server.address() as AddressInfo).port}`, authority: authority.certificate, client, close };
}

function listen(server: ReturnType<typeof createSecureServer>, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE";
      const what = taken ? `port ${port} is in use: choose another with --port, or leave it out for any free one` : error.message;
      reject(new Fault(`listen on ${loopback}:${port}`, what, { final: true }));
    });
    server.listen(port, loopback, () => resolve());
  });
}

async function answerOver(
  exchange: Exchange,
  peers: PeerCertificates,
  request: Http2ServerRequest,
  response: Http2ServerResponse,
): Promise<void> {
  const ended = new AbortController();
  response.once("close", () => ended.abort());
  try {
    const body = await bodyOf(request);
    const { method, url: path } = request;
    const answer = await exchange({ method, path, headers: headersOf(request), body, peer: peers.of(request), signal: ended.signal });
    await write(answer, response, ended.signal);
  } catch (error) {
    if (ended.signal.aborted) return;
    const message = error instanceof Error ? error.message : String(error);
    if (!response.headersSent) response.writeHead(500, { "content-type": "application/json" });
    response.end(
      JSON.stringify({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason: "InternalError", code: 500 }),
    );
  }
}

function headersOf({ headers }: Http2ServerRequest): Headers {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !name.startsWith(":")) plain[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return plain;
}

async function bodyOf(request: Http2ServerRequest): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function write({ status, headers, body }: Answer, response: Http2ServerResponse, signal: AbortSignal): Promise<void> {
  response.writeHead(status, headers);
  // A watch without events must still send its headers. HTTP/2 sends them by itself.
  if ("flushHeaders" in response && typeof response.flushHeaders === "function") response.flushHeaders();
  for await (const chunk of body) {
    if (signal.aborted) return;
    if (!response.write(chunk)) await drained(response, signal);
  }
  response.end();
}

function drained(response: Http2ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    response.once("drain", () => resolve());
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
