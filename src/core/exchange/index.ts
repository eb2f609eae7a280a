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
export type Peer = { readonly certificate?: ClientCertificate | "untrusted" };

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

/** Answers a request. Rejects only when there is no answer (no connection, aborted). An error status is an answer. */
export type Exchange = (request: Request) => Promise<Answer>;

export type { CallWebhook, WebhookCall, WebhookReply } from "./webhook-call.ts";
