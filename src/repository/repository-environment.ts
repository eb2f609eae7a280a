import type { Clock } from "../core/clock/index.ts";
import { openHttpClient, withRedirects, type HttpClient } from "../http/index.ts";
import { helmPathsIn, type HelmPaths } from "./helm-paths.ts";

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
};

export function openRepositoryEnvironment({
  env,
  home,
  platform = "linux",
  clock,
  warn,
  signal,
  timeoutMs,
}: RepositoryEnvironmentOptions): RepositoryEnvironment {
  const http = withRedirects(openHttpClient({ clock, signal, env, ...(timeoutMs === undefined ? {} : { timeoutMs }) }));
  return { paths: helmPathsIn(env, home, platform), http, env, clock, warn, signal };
}
