import { isForbidden, type Cluster } from "../../kube/index.ts";
import { keyOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";

/** From how many objects of one kind and namespace on one list is cheaper than single reads. */
const minForList = 8;
/** Reads one page only: in a namespace with thousands of objects single reads are cheaper. */
const pageLimit = 500;

/**
 * Reads objects by list where many of one kind and namespace are needed. Finds only objects that Helm manages; others
 * have to be read one by one.
 */
export async function prefetchLive(
  refs: readonly ObjectRef[],
  cluster: Cluster,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, KubeObject>> {
  const seen = new Map<string, KubeObject>();
  const groups = Map.groupBy(refs, ({ group, version, kind, namespace }) => `${group}/${version}/${kind}/${namespace}`);
  const many = [...groups.values()].filter(({ length }) => length >= minForList);
  await Promise.all(
    many.map(async (wanted) => {
      const keys = new Set(wanted.map(keyOf));
      for (const object of await firstPage(wanted[0]!, cluster, signal)) {
        const key = keyOf({ ...wanted[0]!, name: object.metadata.name });
        if (keys.has(key)) seen.set(key, object);
      }
    }),
  );
  return seen;
}

async function firstPage(like: ObjectRef, cluster: Cluster, signal: AbortSignal): Promise<readonly KubeObject[]> {
  const resource = await cluster.discovery.find(like);
  if (resource === undefined) return [];
  const place = like.namespace === "" ? {} : { namespace: like.namespace };
  try {
    const selection = { labelSelector: "app.kubernetes.io/managed-by=Helm", limit: pageLimit, ...place, signal };
    for await (const { items } of cluster.pages(resource, selection)) return items;
  } catch (error) {
    // A user without the right to list may still get single objects.
    if (!isForbidden(error)) throw error;
  }
  return [];
}
