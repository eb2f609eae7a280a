import type { Clock } from "../core/clock/index.ts";
import { openHttpClient, withRedirects, type HttpClient } from "../http/index.ts";
import { helmPathsIn, type HelmPaths } from "./helm-paths.ts";
import type { SignedChart, Verification } from "./provenance.ts";
import type { IndexSearch, IndexSearchResult } from "./search-index.ts";

/**
 * What work with repositories needs: Helm's paths, an HTTP client, the environment of credential helpers, a clock, and
 * a receiver of warnings.
 */
export type RepositoryEnvironment = {
  readonly paths: HelmPaths;
  readonly http: HttpClient;
  /** The environment variables of credential helpers. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly warn: (line: string) => void;
  readonly signal: AbortSignal;
  /** How much a cache of downloads may hold on disk; without it, as much as there is. */
  readonly maxCacheBytes?: number;
  /** What others have written is read in another process. Default: in this one. */
  readonly isolated?: IsolatedReader;
};

/** Reads what repositories send in another process. */
type IsolatedReader = {
  searchIndex(search: IndexSearch): Promise<IndexSearchResult>;
  verifyProvenance(chart: SignedChart): Promise<Verification>;
};

type RepositoryEnvironmentOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform?: string;
  readonly clock: Clock;
  readonly warn: (line: string) => void;
  readonly signal: AbortSignal;
  /** The timeout of one response. */
  readonly timeoutMs?: number;
  readonly maxCacheBytes?: number;
};

export function openRepositoryEnvironment({
  env,
  home,
  platform = "linux",
  clock,
  warn,
  signal,
  timeoutMs,
  maxCacheBytes,
}: RepositoryEnvironmentOptions): RepositoryEnvironment {
  const http = withRedirects(openHttpClient({ clock, signal, env, ...(timeoutMs === undefined ? {} : { timeoutMs }) }));
  const paths = helmPathsIn(env, home, platform);
  return { paths, http, env, clock, warn, signal, ...(maxCacheBytes === undefined ? {} : { maxCacheBytes }) };
}
