import { isIP } from "node:net";
import { maxAnswerBytes } from "../answer-limit.ts";
import type { AnswerLimit } from "./response-body.ts";

/** A client certificate and its key, as PEM. */
export type ClientCertificate = { readonly certificate: string; readonly key: string };

/** Request headers. A header with several values is sent several times. */
export type SentHeaders = Readonly<Record<string, string | string[]>>;

/** The address of a server and how to connect to it. */
export type Endpoint = {
  /** `https://host:port`, optionally with a path that prefixes every request's. */
  readonly server: string;
  /** The CA of the server's certificate, as PEM. Default: the system's CAs. */
  readonly authority?: string;
  /** The name in the server's certificate. Default: the server's host. */
  readonly serverName?: string;
  /** Accept any certificate. Default false. */
  readonly insecure?: boolean;
  /** The URL of a proxy: `http://`, `https://` or `socks5://`. Default: none. */
  readonly proxy?: string;
  /** Request compressed responses. Useful unless the server is local. Default false. */
  readonly compress?: boolean;
  /** How much of one answer is read as a whole, decompressed. Default 128 MiB. */
  readonly maxAnswerBytes?: number;
  /** Default 15 s. */
  readonly connectTimeoutMs?: number;
  /** The client certificate, read for every new connection. */
  readonly certificate?: () => Promise<ClientCertificate | undefined>;
};

/** The most that is read of an answer of this server. */
export function answerLimitOf({ server, maxAnswerBytes: maxBytes = maxAnswerBytes }: Endpoint): AnswerLimit {
  return { server, maxBytes };
}

/** The host and port of a URL, without the brackets of an IPv6 address. */
export function hostPortOf(url: URL): { host: string; port: number } {
  const ports: Record<string, number> = { "http:": 80, "https:": 443, "socks5:": 1080, "socks5h:": 1080 };
  return { host: url.hostname.replaceAll(/^\[|\]$/g, ""), port: url.port === "" ? (ports[url.protocol] ?? 443) : Number(url.port) };
}

export function isLoopback(host: string): boolean {
  if (host === "localhost") return true;
  const family = isIP(host);
  return family === 4 ? host.startsWith("127.") : family === 6 && host === "::1";
}
