import { sleep } from "../../clock/index.ts";
import { hasStatus, inform, untilServed, type Cluster, type Resource } from "../../kube/index.ts";
import type { GroupVersionKind } from "../../object/index.ts";

const definitions = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };

/** A kind as the cluster serves it, as far as waiting for its objects goes. */
export type Served = { readonly kind: GroupVersionKind; readonly namespaced: boolean; readonly hasStatus: boolean };

/** Looks a kind up, and where it is not served waits until it is. `late` is told when there is something to wait for. */
export async function served(cluster: Cluster, kind: GroupVersionKind, signal: AbortSignal, late: () => void): Promise<Served> {
  const found = await cluster.discovery.find(kind);
  if (found !== undefined) return servedOf(found);
  late();
  return servedOf(await untilServed(cluster, kind, signal));
}

/** The same for a resource as somebody wrote it: `sts`, `widgets.example.com`. Definitions that come or change are the reason to look again. */
export async function servedNamed(cluster: Cluster, name: string, signal: AbortSignal, late: () => void): Promise<Served> {
  const found = await cluster.discovery.named(name);
  if (found !== undefined) return servedOf(found);
  late();
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  try {
    return await Promise.race([byDefinitions(cluster, name, both), bySeldomLook(cluster, name, both)]);
  } finally {
    stop.abort();
  }
}

async function byDefinitions(cluster: Cluster, name: string, signal: AbortSignal): Promise<Served> {
  for await (const change of inform(cluster, definitions, { signal })) {
    if (change.type === "interrupted") continue;
    const found = await cluster.discovery.named(name);
    if (found !== undefined) return servedOf(found);
  }
  return new Promise(() => undefined); // the other look goes on, or the signal has ended both
}

/** For kinds that come another way than by a definition: aggregated APIs announce themselves to nobody. */
async function bySeldomLook(cluster: Cluster, name: string, signal: AbortSignal): Promise<Served> {
  for (let pauseMs = 1_000; ; pauseMs = Math.min(30_000, pauseMs * 2)) {
    await sleep(cluster.clock, pauseMs, signal);
    const found = await cluster.discovery.named(name);
    if (found !== undefined) return servedOf(found);
  }
}

function servedOf(resource: Resource): Served {
  const { group, version, kind, namespaced } = resource;
  return { kind: { group, version, kind }, namespaced, hasStatus: hasStatus(resource) };
}
