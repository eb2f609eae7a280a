/**
 * The port to a cluster: a function that answers requests.
 *
 * `kube` is a client of an Exchange, `embedded` implements one, `server` serves one on a socket. Plain data and no
 * classes, because this is the hottest path. It knows nothing of Kubernetes.
 */

/** Header names are lower-case. Repeated headers are joined with ", ". */
export type Headers = Readonly<Record<string, string>>;

/**
 * A part of a body. In-process exchanges pass strings and save the encoding. A chunk may end anywhere, also inside a
 * character or a line.
 */
export type Chunk = string | Uint8Array;

/** An array when the body is complete. Otherwise chunks arrive until it ends or the signal aborts. */
export type Body = readonly Chunk[] | AsyncIterable<Chunk>;

/** The certificate that the other end of a connection has proved to be its own. */
type ClientCertificate = {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** SHA-256 of the certificate, in lower-case hexadecimal. */
  readonly fingerprint: string;
};

/** The other end of a connection. `untrusted`: its certificate is of another authority, or has expired. */
export type Peer = {
  readonly certificate?: ClientCertificate | "untrusted";
  /** Its address, which may be that of a proxy. */
  readonly address?: string;
  readonly scheme?: "http" | "https";
};

export type Request = {
  readonly method: string;
  /** Path and query, percent-encoded, beginning with "/". */
  readonly path: string;
  readonly headers: Headers;
  readonly body?: Chunk;
  /** Who sends it over a connection. Absent: a caller in this process. */
  readonly peer?: Peer;
  /** Aborts the request or the body of its answer. */
  readonly signal: AbortSignal;
};

export type Answer = { readonly status: number; readonly headers: Headers; readonly body: Body };

/** A body that is still on its way. Nothing of it is kept before somebody reads it. */
export type IncomingBody = {
  /** At most `maxBytes` of it: what comes after them is not read. Undefined when they have not arrived within `timeoutMs`. */
  read(maxBytes: number, timeoutMs: number): Promise<Uint8Array | undefined>;
};

/** A request as a server gets it: its body may be on its way when it is decided who sends it. */
export type IncomingRequest = Omit<Request, "body"> & { readonly body?: Chunk | IncomingBody };

/** Answers requests whose bodies may be on their way. It is an Exchange too. */
export type Handler = (request: IncomingRequest) => Promise<Answer>;

/** Answers a request. Rejects only when there is no answer (no connection, aborted). An error status is an answer. */
export type Exchange = (request: Request) => Promise<Answer>;

export { jsonBody, jsonItems, jsonItemsOf, jsonValueOf, type JsonLines } from "./json-body.ts";
export type { SendHttpsPost, HttpsPost, HttpsReply } from "./https-post.ts";
