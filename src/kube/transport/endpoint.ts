import { isIP } from "node:net";

/** A client certificate and its key, as PEM. */
export type ClientCertificate = { readonly certificate: string; readonly key: string };

/** Headers as they go out: one with several values is sent as often. */
export type SentHeaders = Readonly<Record<string, string | string[]>>;

/** Where a server is and how it is reached. */
export type Endpoint = {
  /** `https://host:port`, with a path before every request's where the server lives under one. */
  readonly server: string;
  /** Who signs the server's certificate, as PEM. Default: whom this machine trusts. */
  readonly authority?: string;
  /** The name that the server's certificate must be for. Default: the server's host. */
  readonly serverName?: string;
  /** Take any certificate. Default false. */
  readonly insecure?: boolean;
  /** `http://`, `https://` or `socks5://` of a proxy that connects us. Default: none. */
  readonly proxy?: string;
  /** Ask for compressed answers. Worth it unless the server is on this machine. Default false. */
  readonly compress?: boolean;
  /** Default 15 s. */
  readonly connectTimeoutMs?: number;
  /** Our own certificate, asked for at every new connection. */
  readonly certificate?: () => Promise<ClientCertificate | undefined>;
};

/** Host and port of an URL, without the brackets of an IPv6 address. */
export function hostPortOf(url: URL): { host: string; port: number } {
  const ports: Record<string, number> = { "http:": 80, "https:": 443, "socks5:": 1080, "socks5h:": 1080 };
  return { host: url.hostname.replaceAll(/^\[|\]$/g, ""), port: url.port === "" ? (ports[url.protocol] ?? 443) : Number(url.port) };
}

export function isLoopback(host: string): boolean {
  if (host === "localhost") return true;
  const family = isIP(host);
  return family === 4 ? host.startsWith("127.") : family === 6 && host === "::1";
}
