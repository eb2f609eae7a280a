import { maxFileBytes } from "../../chart/index.ts";
import { LruCache } from "../../core/cache/index.ts";
import { Fault } from "../../core/fault/index.ts";
import {
  openHttpClient,
  redactedUrl,
  systemTrustAdvice,
  timeoutFault,
  withRedirects,
  type HttpClient,
  type HttpClientResponse,
} from "../../http/index.ts";
import type { RepositoryEnvironment } from "../repository-environment.ts";
import { cachedSchema, cacheSchema, type FetchedSchema } from "../store/schema-cache.ts";
import { SchemaRefusal, SchemaStatusFault } from "./schema-fault.ts";

/** How long one schema may take, redirects included, as in Helm. */
const timeoutMs = 15_000;
/** The longest time for which a server is believed that nothing changes. */
const maxFreshMs = 3_600_000;
const maxCachedCharacters = 2 ** 25;

export type FetchSchemaOptions = {
  readonly signal: AbortSignal;
  /** Nothing is fetched from other hosts, not even by a redirect. Default: any host is allowed. */
  readonly hosts?: readonly string[];
};

/**
 * Fetches schemas, and caches them in memory and with the repositories. A cached one is used for as long as the server
 * allows. After that the server is asked whether it has changed. Where nobody answers, the cached one is used with a
 * warning. Credentials of repositories are never sent.
 */
export class SchemaFetcher {
  readonly #environment: RepositoryEnvironment;
  readonly #http: HttpClient;
  readonly #known = new LruCache<string, FetchedSchema>({ maxWeight: maxCachedCharacters, weightOf: (_, { text }) => text.length });

  constructor(environment: RepositoryEnvironment) {
    this.#environment = environment;
    const { clock, signal, env } = environment;
    this.#http = withRedirects(openHttpClient({ clock, signal, env, timeoutMs, trustAdvice: systemTrustAdvice }));
  }

  /** Throws a Fault when there is no such schema. */
  async fetch(url: string, options: FetchSchemaOptions): Promise<FetchedSchema> {
    checkHost(url, options.hosts);
    const { clock, warn } = this.#environment;
    const cached = this.#known.get(url) ?? cachedSchema(url, this.#environment);
    if (cached !== undefined && clock.now() < cached.freshUntil) return this.#keep(url, cached);
    try {
      return this.#accept(url, cached, await this.#get(url, cached?.validators ?? {}, options));
    } catch (error) {
      if (cached === undefined || options.signal.aborted || !mayBeOutage(error)) throw error;
      warn(`${error.message}: the copy of ${new Date(cached.fetchedAt).toISOString()} is used`);
      return cached;
    }
  }

  async #get(url: string, validators: Readonly<Record<string, string>>, { signal, hosts }: FetchSchemaOptions) {
    const late = new AbortController();
    const cancel = this.#environment.clock.after(timeoutMs, () => late.abort(timeoutFault(url, timeoutMs)));
    try {
      return await this.#http({
        url,
        headers: validators,
        maxBytes: maxFileBytes,
        signal: AbortSignal.any([signal, late.signal]),
        checkRedirect: (next) => checkHost(next, hosts, url),
      });
    } finally {
      cancel();
    }
  }

  #accept(url: string, cached: FetchedSchema | undefined, answer: HttpClientResponse): FetchedSchema {
    const { status, headers, body } = answer;
    const unchanged = status === 304 ? cached : undefined;
    if (status !== 200 && unchanged === undefined) throw new SchemaStatusFault(url, answer);
    const text = unchanged?.text ?? Buffer.from(body).toString("utf8");
    const fetchedAt = this.#environment.clock.now();
    const policy = headers["cache-control"] ?? "";
    const validators = { ...unchanged?.validators, ...validatorsIn(headers) };
    const fetched = { text, fetchedAt, freshUntil: fetchedAt + freshMs(policy), validators };
    // A page that asks to sign in is no schema, and is not kept as one.
    if (/\bno-store\b/i.test(policy) || !isJson(text)) return fetched;
    cacheSchema(url, fetched, this.#environment);
    return this.#keep(url, fetched);
  }

  #keep(url: string, schema: FetchedSchema): FetchedSchema {
    this.#known.set(url, schema);
    return schema;
  }
}

function checkHost(url: string, hosts: readonly string[] | undefined, from?: string): void {
  const { host } = new URL(url);
  if (hosts === undefined || hosts.includes(host)) return;
  const led = from === undefined ? "" : `${redactedUrl(from)} redirects to ${redactedUrl(url)}, but `;
  const allowed = hosts.join(", ") || "no host";
  throw new SchemaRefusal(`${led}schemas are fetched from ${allowed} only: allow ${host} with --schema-hosts`);
}

/** Whether the server may still have the schema. */
function mayBeOutage(error: unknown): error is Fault {
  if (error instanceof SchemaRefusal) return false;
  return error instanceof SchemaStatusFault ? error.status >= 500 : error instanceof Fault;
}

function validatorsIn({ etag, "last-modified": modified }: HttpClientResponse["headers"]): Readonly<Record<string, string>> {
  return {
    ...(etag === undefined ? {} : { "if-none-match": etag }),
    ...(modified === undefined ? {} : { "if-modified-since": modified }),
  };
}

function freshMs(policy: string): number {
  if (/\bno-cache\b/i.test(policy)) return 0;
  const [, seconds = "0"] = /\bmax-age=(\d{1,9})/i.exec(policy) ?? [];
  return Math.min(Number(seconds) * 1000, maxFreshMs);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
