/** A POST over HTTPS to a program that stands outside of the cluster. */
export type HttpsPost = {
  readonly url: string;
  /** `host:port` to connect to instead of the URL's. The certificate must still be that of the URL's host. */
  readonly address?: string;
  /** The authorities of its certificate, in PEM. Empty: those of the machine. */
  readonly caBundle: string;
  readonly body: string;
  readonly timeoutMs: number;
};

/**
 * The response, or why there is none, in the words of Go's net/http. `read` says that its headers had arrived, `tookMs` how long it
 * took (default 0).
 */
export type HttpsReply = { readonly tookMs?: number } & (
  | { readonly status: number; readonly contentType: string; readonly body: string }
  | { readonly error: string; readonly read?: boolean }
);

/** Sends a POST. Never rejects. */
export type SendHttpsPost = (post: HttpsPost) => Promise<HttpsReply>;
