import type { Answer } from "../../core/exchange/index.ts";
import { plainAnswer } from "./answer.ts";

/** The checks of each endpoint. They all succeed: what they check is this process. */
const checks: Readonly<Record<string, readonly string[]>> = {
  healthz: ["ping", "log", "etcd"],
  livez: ["ping", "log", "etcd"],
  readyz: ["ping", "log", "etcd", "etcd-readiness", "informer-sync", "shutdown"],
};

/** The paths of all health checks. */
export function healthPaths(): readonly string[] {
  return Object.entries(checks).flatMap(([name, parts]) => [`/${name}`, ...parts.map((part) => `/${name}/${part}`)]);
}

/**
 * Answers `/healthz`, `/livez` and `/readyz`, with `?verbose` and `?exclude=`, and each of their checks; undefined for other
 * paths. Models apiserver pkg/server/healthz/healthz.go
 */
export function healthAnswer(path: string, query: URLSearchParams): Answer | undefined {
  const [, name = "", ...rest] = path.split("/");
  const parts = Object.hasOwn(checks, name) ? checks[name] : undefined;
  if (parts === undefined) return undefined;
  if (rest.length > 0) return parts.includes(rest.join("/")) ? plainAnswer(200, "ok") : undefined;
  if (!query.has("verbose")) return plainAnswer(200, "ok");
  const excluded = new Set(query.getAll("exclude"));
  const lines = parts.map((part) => (excluded.has(part) ? `[+]${part} excluded: ok\n` : `[+]${part} ok\n`));
  const unknown = [...excluded].filter((part) => !parts.includes(part)).map((part) => JSON.stringify(part));
  const warning =
    unknown.length === 0 ? "" : `warn: some health checks cannot be excluded: no matches for ${unknown.toSorted().join(",")}\n`;
  return plainAnswer(200, `${lines.join("")}${warning}${name} check passed\n`);
}
