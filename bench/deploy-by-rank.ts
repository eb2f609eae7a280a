import type { Cluster } from "../src/kube/index.ts";
import { groupVersionOf, keyOf, refOf, type GroupVersionKind, type KubeObject } from "../src/core/object/index.ts";

/**
 * Deploys with a client for this task alone: applies a rank at once, watches, and starts the next rank when all of it is
 * ready. What has no readiness is ready when it is applied. The lower limit that deploys are compared with.
 */
export async function deployByRank(
  ranks: readonly (readonly KubeObject[])[],
  cluster: Cluster,
  isReady: (object: KubeObject) => boolean,
): Promise<void> {
  const stop = new AbortController();
  const readiness = new Readiness(isReady);
  const watches = kindsIn(ranks.flat()).map((kind) => watch(kind, cluster, readiness, stop.signal));
  const broken = Promise.race(watches);
  try {
    for (const rank of ranks) {
      const applied = await Promise.all(rank.map((object) => cluster.apply(object, { manager: "bench" })));
      await Promise.race([readiness.ofAll(applied), broken]);
    }
  } finally {
    stop.abort();
    await Promise.allSettled(watches);
  }
}

/** Collects which objects are ready, and resolves when a rank is. */
class Readiness {
  readonly #isReady: (object: KubeObject) => boolean;
  readonly #ready = new Set<string>();
  #missing = new Set<string>();
  #reached = () => {};

  constructor(isReady: (object: KubeObject) => boolean) {
    this.#isReady = isReady;
  }

  note(object: KubeObject): void {
    if (!this.#isReady(object)) return;
    const key = keyOf(refOf(object));
    this.#ready.add(key);
    if (this.#missing.delete(key) && this.#missing.size === 0) this.#reached();
  }

  ofAll(objects: readonly KubeObject[]): Promise<void> {
    for (const object of objects) this.note(object);
    this.#missing = new Set(objects.map((object) => keyOf(refOf(object))).filter((key) => !this.#ready.has(key)));
    return this.#missing.size === 0 ? Promise.resolve() : new Promise((resolve) => (this.#reached = resolve));
  }
}

async function watch(kind: GroupVersionKind, cluster: Cluster, readiness: Readiness, signal: AbortSignal): Promise<void> {
  for await (const { type, object } of cluster.watch(kind, { namespace: cluster.namespace, signal })) {
    if (type === "ADDED" || type === "MODIFIED") readiness.note(object);
  }
}

function kindsIn(objects: readonly KubeObject[]): readonly GroupVersionKind[] {
  const kinds = new Map(objects.map(({ apiVersion, kind }) => [`${apiVersion} ${kind}`, { ...groupVersionOf(apiVersion), kind }]));
  return [...kinds.values()];
}
