import type { Cluster } from "../src/kube/index.ts";
import { refOf, type GroupVersionKind, type KubeObject } from "../src/core/object/index.ts";

/** What controllers make for a Deployment. */
const dependentKinds: readonly GroupVersionKind[] = [
  { group: "apps", version: "v1", kind: "ReplicaSet" },
  { group: "", version: "v1", kind: "Pod" },
];

type DeleteOptions = {
  /** Sends one request at a time, in the reverse of creation, as a deletion phase promises. Default: all of a rank at once. */
  readonly oneByOne?: boolean;
};

/**
 * Deletes with a client for this task alone: the last rank first, and the next one when every ReplicaSet and pod of it is
 * gone. The lower limit that deletions are compared with.
 */
export async function deleteByRank(
  ranks: readonly (readonly KubeObject[])[],
  cluster: Cluster,
  { oneByOne = false }: DeleteOptions = {},
): Promise<void> {
  const stop = new AbortController();
  const dependents = new Dependents();
  const lists = await Promise.all(dependentKinds.map((kind) => cluster.list(kind, { namespace: cluster.namespace })));
  for (const { items } of lists) for (const object of items) dependents.note(object, true);
  const watches = dependentKinds.map((kind, at) => watch(kind, lists[at]!.resourceVersion, cluster, dependents, stop.signal));
  const broken = Promise.race(watches);
  try {
    for (const rank of ranks.toReversed()) {
      const remove = (object: KubeObject) => cluster.delete(refOf(object), { propagation: "background" });
      if (oneByOne) for (const object of rank.toReversed()) await remove(object);
      else await Promise.all(rank.map(remove));
      await Promise.race([dependents.gone(rank), broken]);
    }
  } finally {
    stop.abort();
    await Promise.allSettled(watches);
  }
}

/** What is left of the Deployments, by their label, and when a rank has nothing left. */
class Dependents {
  readonly #left = new Map<string, Set<string>>();
  #missing = new Set<string>();
  #reached = () => {};

  note({ metadata }: KubeObject, there: boolean): void {
    const app = metadata.labels?.["app"] ?? "";
    const left = this.#left.get(app) ?? new Set();
    this.#left.set(app, left);
    if (there) left.add(metadata.uid ?? "");
    else left.delete(metadata.uid ?? "");
    if (left.size === 0 && this.#missing.delete(app) && this.#missing.size === 0) this.#reached();
  }

  gone(rank: readonly KubeObject[]): Promise<void> {
    this.#missing = new Set(rank.map(({ metadata }) => metadata.name).filter((app) => (this.#left.get(app)?.size ?? 0) > 0));
    return this.#missing.size === 0 ? Promise.resolve() : new Promise((resolve) => (this.#reached = resolve));
  }
}

async function watch(
  kind: GroupVersionKind,
  resourceVersion: string,
  cluster: Cluster,
  dependents: Dependents,
  signal: AbortSignal,
): Promise<void> {
  for await (const { type, object } of cluster.watch(kind, { namespace: cluster.namespace, resourceVersion, signal })) {
    if (type !== "BOOKMARK") dependents.note(object, type !== "DELETED");
  }
}
