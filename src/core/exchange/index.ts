/**
 * What a cluster is to us: something that answers requests.
 *
 * `kube` connects to an Exchange, `sim` is one, `server` puts one behind a socket. Plain data and no classes, since
 * this is the hottest path. It knows nothing of Kubernetes.
 */

/** Header names are lower-case. A header that came more than once is joined with ", ". */
export type Headers = Readonly<Record<string, string>>;

/** A piece of a body. In-process exchanges pass strings and save the encoding. Pieces may end anywhere, also inside a character or a line. */
export type Chunk = string | Uint8Array;

/** A body on its way. An array when it is all there; otherwise it comes piece by piece until it ends or the signal aborts. */
export type Body = readonly Chunk[] | AsyncIterable<Chunk>;

export type Request = {
  readonly method: string;
  /** Path and query, percent-encoded, beginning with "/". */
  readonly path: string;
  readonly headers: Headers;
  readonly body?: Chunk;
  /** Ends the request, or the body of its answer, early. */
  readonly signal: AbortSignal;
};

export type Answer = { readonly status: number; readonly headers: Headers; readonly body: Body };

/** Answers a request. Rejects only when no answer could be had at all (no connection, aborted): a refusal is an answer. */
export type Exchange = (request: Request) => Promise<Answer>;
