import type { Cluster } from "../../../kube/index.ts";
import { servedScopes, type KindScopes } from "../kind-scopes.ts";

/** What patches need to know of a cluster. */
export type PatchFacts = {
  readonly scopeOf: KindScopes;
  /** The OpenAPI document of a group and version: `apis/apps/v1`. Empty when there is none. */
  readonly readOpenApi: (path: string) => Promise<string>;
};

/** Reads them from the cluster when they are asked for. */
export function patchFactsOf(cluster: Cluster, { signal }: { readonly signal: AbortSignal }): PatchFacts {
  return { scopeOf: servedScopes(cluster), readOpenApi: (path) => readOpenApi(path, cluster, signal) };
}

async function readOpenApi(path: string, cluster: Cluster, signal: AbortSignal): Promise<string> {
  const { status, body } = await cluster.raw({
    method: "GET",
    path: `/openapi/v3/${path}`,
    headers: { accept: "application/json" },
    signal,
  });
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of body) text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
  return status === 200 ? text : "";
}
