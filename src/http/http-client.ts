/** TLS settings, all as PEM. */
export type TlsOptions = {
  /** The only trusted CA. Default: the system's CAs. */
  readonly authority?: string;
  readonly certificate?: string;
  readonly key?: string;
  /** Accept any certificate. */
  readonly insecure?: boolean;
};

export type HttpClientRequest = {
  readonly url: string;
  readonly method?: "GET" | "HEAD" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly tls?: TlsOptions;
  /** The maximum size of the response body. */
  readonly maxBytes: number;
  /** Ends the request, with all its redirects. */
  readonly signal?: AbortSignal;
  /** Throws for a redirect that must not be followed. Default: all of them may. Models Go's http.Client CheckRedirect */
  readonly checkRedirect?: (url: string) => void;
};

export type HttpClientResponse = {
  /** Where it comes from, when that is another address than was asked. */
  readonly redirectedTo?: string;
  readonly status: number;
  /** `404 Not Found` */
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
};

/** Sends one request and returns the complete response. */
export type HttpClient = (request: HttpClientRequest) => Promise<HttpClientResponse>;
