import { Agent as HttpAgent, request as httpRequest, STATUS_CODES, type ClientRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Clock } from "../core/clock/index.ts";
import { Fault } from "../core/fault/index.ts";
import { systemCertPool } from "./system-cert-pool.ts";
import { redactedUrl } from "./url.ts";
import { responseTooLargeFault, timeoutFault, httpFaultOf } from "./http-fault.ts";
import type { TlsOptions, HttpClient, HttpClientResponse, HttpClientRequest } from "./http-client.ts";

type HttpClientOptions = {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The environment variables that name proxies. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The timeout of a whole response. Default: two minutes, as in Helm. */
  readonly timeoutMs?: number;
  /** What to do about a server with an unknown authority, for the message. Default: name it with --ca-file. */
  readonly trustAdvice?: string;
};

const defaultTimeoutMs = 120_000;

/** Hosts that never use a proxy. Models golang.org/x/net/http/httpproxy useProxy */
const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Creates an HTTP client. Idle connections are reused, and do not keep the process alive. */
export function openHttpClient({ clock, signal, env = {}, timeoutMs = defaultTimeoutMs, trustAdvice }: HttpClientOptions): HttpClient {
  const agents = new AgentPool(env);
  return async (request) => {
    const givenUp = request.signal === undefined ? signal : AbortSignal.any([signal, request.signal]);
    if (givenUp.aborted) throw givenUp.reason;
    if (!URL.canParse(request.url)) throw new Fault(`invalid URL: ${request.url}`, undefined, { final: true });
    const url = new URL(request.url);
    if (url.protocol !== "http:" && url.protocol !== "https:")
      throw new Fault(`could not find protocol handler for: ${url.protocol.slice(0, -1)}`, undefined, { final: true });
    const ending = new AbortController();
    const abort = () => ending.abort(givenUp.reason);
    givenUp.addEventListener("abort", abort, { once: true });
    const cancel = clock.after(timeoutMs, () => ending.abort(timeoutFault(request.url, timeoutMs)));
    try {
      return await answerTo(request, url, agents.agentFor(url, request.tls ?? {}), ending.signal);
    } catch (error) {
      throw ending.signal.aborted ? ending.signal.reason : httpFaultOf(request.url, error, trustAdvice);
    } finally {
      cancel();
      givenUp.removeEventListener("abort", abort);
    }
  };
}

type Agent = HttpAgent | HttpsAgent;

/** One agent for each set of TLS options, so that connections are never shared between them. */
class AgentPool {
  readonly #proxyEnv: NodeJS.ProcessEnv;
  readonly #known = new Map<string, Agent>();

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#proxyEnv = { ...env };
  }

  agentFor({ protocol, hostname }: URL, tls: TlsOptions): Agent {
    const isNear = loopback.test(hostname);
    const key = JSON.stringify([protocol, isNear, tls]);
    const known = this.#known.get(key) ?? this.#made(protocol, isNear, tls);
    this.#known.set(key, known);
    return known;
  }

  #made(protocol: string, isNear: boolean, { authority, certificate, key, insecure = false }: TlsOptions): Agent {
    const options = { keepAlive: true, ...(isNear ? {} : { proxyEnv: this.#proxyEnv }) };
    if (protocol === "http:") return new HttpAgent(options);
    return new HttpsAgent({
      ...options,
      rejectUnauthorized: !insecure,
      ca: authority ?? systemCertPool(),
      ...(certificate === undefined || key === undefined ? {} : { cert: certificate, key }),
    });
  }
}

async function answerTo(request: HttpClientRequest, url: URL, agent: Agent, signal: AbortSignal): Promise<HttpClientResponse> {
  const { method = "GET", body = "", headers = {}, maxBytes } = request;
  const message = await startRequest(url, { method, headers: plainly(headers, body, url), agent, signal }, body);
  const status = message.statusCode ?? 0;
  const stated = Number(message.headers["content-length"] ?? 0);
  if (method !== "HEAD" && stated > maxBytes) {
    message.destroy();
    throw responseTooLargeFault(request.url, maxBytes);
  }
  return {
    status,
    statusText: `${status} ${message.statusMessage || STATUS_CODES[status] || ""}`.trimEnd(),
    headers: headersOf(message),
    body: await bodyOf(message, request),
  };
}

type Sending = { method: string; headers: Record<string, string>; agent: Agent; signal: AbortSignal };

function startRequest(url: URL, sending: Sending, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { ...sending, auth: null };
    const start: typeof httpRequest = url.protocol === "http:" ? httpRequest : httpsRequest;
    const sent: ClientRequest = start(withoutUser(url), options);
    sent.once("response", resolve);
    sent.once("error", reject);
    sent.end(body);
  });
}

/** Requests uncompressed responses: the digest of a chart is that of its bytes as sent. */
function plainly(headers: Readonly<Record<string, string>>, body: string, url: URL): Record<string, string> {
  const user = url.username === "" ? {} : { authorization: `Basic ${Buffer.from(userOf(url)).toString("base64")}` };
  const length = body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) };
  return { "user-agent": "sluice", "accept-encoding": "identity", ...user, ...length, ...headers };
}

function userOf({ username, password }: URL): string {
  return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
}

function withoutUser(url: URL): URL {
  const plain = new URL(url);
  plain.username = "";
  plain.password = "";
  return plain;
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]));
}

async function bodyOf(message: IncomingMessage, { url, maxBytes }: HttpClientRequest): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of message as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxBytes) throw responseTooLargeFault(url, maxBytes);
    pieces.push(piece);
  }
  if (!message.complete) throw new Fault(`the answer of ${redactedUrl(url)} broke off`);
  return Buffer.concat(pieces);
}
