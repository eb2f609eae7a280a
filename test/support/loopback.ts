/**
 * Servers on the loopback interface that tests script request by request: they answer, stall, reset and close on
 * request. They know nothing of Kubernetes.
 */
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createSecureServer, type Http2SecureServer, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import type { TestContext } from "node:test";
import { issueCertificate, createCertificateAuthority } from "../../src/lang/x509/index.ts";

const validity = { notBefore: new Date("2025-01-01T00:00:00Z"), notAfter: new Date("2099-01-01T00:00:00Z") };

/** Signs every certificate of these tests. */
export const authority = createCertificateAuthority("loopback-ca", validity);
export const serverCertificate = issueCertificate(
  authority,
  { commonName: "loopback", hosts: ["127.0.0.1", "localhost"], usages: ["server"] },
  validity,
);
export const expiredCertificate = issueCertificate(
  authority,
  { commonName: "loopback", hosts: ["127.0.0.1"], usages: ["server"] },
  { notBefore: new Date("2019-01-01T00:00:00Z"), notAfter: new Date("2020-02-03T04:05:06Z") },
);

type Http2Answer = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

export type Loopback = {
  readonly url: string;
  readonly port: number;
  /** How many connections have been made. */ connections(): number;
  close(): Promise<void>;
};

/** Listens until the test ends. `port` 0 takes any free port. */
export async function listen(t: TestContext, server: Server, scheme: string, port = 0): Promise<Loopback> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const at = (server.address() as AddressInfo).port;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  t.after(close);
  return { url: `${scheme}://127.0.0.1:${at}`, port: at, connections: () => connections, close };
}

type Http2Options = {
  port?: number;
  maxConcurrentStreams?: number;
  certificate?: { certificate: string; key: string };
  requestCert?: boolean;
};

export async function serveHttp2(
  t: TestContext,
  answer: Http2Answer,
  options: Http2Options = {},
): Promise<Loopback & { server: Http2SecureServer }> {
  const { port = 0, maxConcurrentStreams, certificate = serverCertificate, requestCert = false } = options;
  const server = createSecureServer({
    cert: certificate.certificate,
    key: certificate.key,
    ca: authority.certificate,
    requestCert,
    rejectUnauthorized: false,
    settings: maxConcurrentStreams === undefined ? {} : { maxConcurrentStreams },
  });
  server.on("stream", (stream, headers) => {
    stream.on("error", () => undefined); // clients may disconnect
    answer(stream, headers);
  });
  server.on("sessionError", () => undefined);
  return { ...(await listen(t, server as unknown as Server, "https", port)), server };
}

export function serveHttps(t: TestContext, answer: RequestListener, port = 0): Promise<Loopback> {
  return listen(t, createHttpsServer({ cert: serverCertificate.certificate, key: serverCertificate.key }, answer), "https", port);
}

export function serveHttp(t: TestContext, answer: RequestListener, port = 0): Promise<Loopback> {
  return listen(t, createHttpServer(answer), "http", port);
}

export function serveTcp(t: TestContext, answer: (socket: Socket) => void, scheme = "https"): Promise<Loopback> {
  return listen(t, createTcpServer(answer), scheme);
}

/** Answers JSON on an HTTP/2 stream. */
export function reply(stream: ServerHttp2Stream, status: number, body: unknown, headers: Record<string, string> = {}): void {
  stream.respond({ ":status": status, "content-type": "application/json", ...headers });
  stream.end(typeof body === "string" ? body : JSON.stringify(body));
}
