import type { Clock } from "../core/clock/index.ts";
import { openHttpClient, withRedirects, type HttpClient } from "../http/index.ts";
import { helmPathsIn, type HelmPaths } from "./helm-paths.ts";

/** What all work with repositories is done with: where things are kept, the web, and whom to tell what is odd. */
export type RepositoryEnvironment = {
  readonly paths: HelmPaths;
  readonly http: HttpClient;
  /** Credential helpers run in it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly warn: (line: string) => void;
  readonly signal: AbortSignal;
};

export type RepositoryEnvironmentOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform?: string;
  readonly clock: Clock;
  readonly warn: (line: string) => void;
  readonly signal: AbortSignal;
  /** How long one answer may take. */
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
