import { request as httpsRequest } from "node:https";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { Clock } from "../core/clock/index.ts";
import type { SendHttpsPost, HttpsPost, HttpsReply } from "../core/exchange/index.ts";
import { goNetworkError } from "./go-network-error.ts";
import { systemCertPool } from "./system-cert-pool.ts";

/** More than any webhook has to say: a request of the API is at most 3 MiB. */
const maxBytes = 16 * 1024 * 1024;

/** As in Go's net/http. */
const maxRedirects = 10;

/** `text` is the URL as it was given: URL drops the port that is the default. */
type Hop = { readonly method: "POST" | "GET"; readonly url: URL; readonly text: string };

/**
 * Calls webhooks over HTTPS as the API server's client does: redirects are followed, and a failure is told in the words of Go's
 * net/http. `clock` is the machine's: the program that is called knows no other time.
 */
export function webhookCaller(clock: Clock): SendHttpsPost {
  return async (call) => {
    const ending = new AbortController();
    const startedMs = clock.now();
    const cancel = clock.after(call.timeoutMs, () => ending.abort());
    try {
      const reply = await replyTo(call, ending.signal);
      const tookMs = clock.now() - startedMs;
      // A timer may be a moment early.
      return { ...reply, tookMs: ending.signal.aborted ? Math.max(tookMs, call.timeoutMs) : tookMs };
    } finally {
      cancel();
    }
  };
}

async function replyTo(call: HttpsPost, signal: AbortSignal): Promise<HttpsReply> {
  let hop: Hop = { method: "POST", url: new URL(call.url), text: call.url };
  for (let redirects = 0; ; redirects++) {
    let response: IncomingMessage;
    try {
      response = await send(call, hop, signal);
    } catch (error) {
      return { error: failed(hop, signal.aborted ? "context deadline exceeded" : goNetworkError(error, addressOf(call, hop))) };
    }
    const next = redirectOf(hop, response);
    if (next === undefined) return read(response, signal);
    response.destroy();
    if (redirects === maxRedirects - 1)
      return { error: failed({ ...next, text: response.headers.location ?? "" }, `stopped after ${maxRedirects} redirects`) };
    hop = next;
  }
}

/** Models net/url Error */
function failed({ method, text }: Hop, why: string): string {
  return `${method === "POST" ? "Post" : "Get"} ${JSON.stringify(text)}: ${why}`;
}

/** A redirect by 301, 302 or 303 becomes a GET. Models net/http redirectBehavior */
function redirectOf({ method, url }: Hop, { statusCode = 0, headers }: IncomingMessage): Hop | undefined {
  const { location } = headers;
  if (location === undefined || !URL.canParse(location, url.href)) return undefined;
  const next = new URL(location, url);
  if (statusCode === 307 || statusCode === 308) return { method, url: next, text: next.href };
  return statusCode >= 301 && statusCode <= 303 ? { method: "GET", url: next, text: next.href } : undefined;
}

function addressOf({ url, address }: HttpsPost, hop: Hop): string {
  const { host, hostname, port } = hop.url;
  if (address !== undefined && host === new URL(url).host) return address;
  return `${hostname}:${port === "" ? "443" : port}`;
}

function send(call: HttpsPost, hop: Hop, signal: AbortSignal): Promise<IncomingMessage> {
  const { hostname, pathname, search } = hop.url;
  const [, host = "", port = ""] = /^(.*):(\d+)$/.exec(addressOf(call, hop)) ?? [];
  const named = hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    const sent = httpsRequest({
      host: host.replace(/^\[|\]$/g, ""),
      port,
      path: `${pathname}${search}`,
      method: hop.method,
      // Names of TLS are host names; an address is checked as the address it is.
      servername: isIP(named) === 0 ? named : "",
      ca: call.caBundle === "" ? systemCertPool() : call.caBundle,
      agent: false,
      signal,
      headers: {
        host: hop.url.host,
        accept: "application/json, */*",
        "user-agent": "kube-apiserver-admission",
        ...(hop.method === "POST" ? { "content-type": "application/json", "content-length": Buffer.byteLength(call.body) } : {}),
      },
    });
    sent.on("response", resolve);
    sent.on("error", reject);
    sent.end(hop.method === "POST" ? call.body : undefined);
  });
}

async function read(response: IncomingMessage, signal: AbortSignal): Promise<HttpsReply> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) return { error: `the response has more than ${maxBytes} bytes`, read: true };
      chunks.push(chunk);
    }
  } catch {
    return { error: signal.aborted ? "context deadline exceeded" : "unexpected EOF", read: true };
  } finally {
    response.destroy();
  }
  const contentType = response.headers["content-type"] ?? "";
  return { status: response.statusCode ?? 0, contentType, body: Buffer.concat(chunks).toString() };
}
