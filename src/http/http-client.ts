/** Whom one trusts, and whom one shows oneself as; all as PEM. */
export type TlsOptions = {
  /** Trusted instead of the machine's authorities. */
  readonly authority?: string;
  readonly certificate?: string;
  readonly key?: string;
  /** Anybody is trusted. */
  readonly insecure?: boolean;
};

export type HttpClientRequest = {
  readonly url: string;
  readonly method?: "GET" | "HEAD" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly tls?: TlsOptions;
  /** A longer answer is refused as soon as it is seen to be longer. */
  readonly maxBytes: number;
};

export type HttpClientResponse = {
  readonly status: number;
  /** `404 Not Found` */
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
};

/** All that the web is to us: something that answers requests, each once and with its whole answer. */
export type HttpClient = (request: HttpClientRequest) => Promise<HttpClientResponse>;
