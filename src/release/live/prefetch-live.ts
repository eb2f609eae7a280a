import { isForbidden, isGone, type Cluster } from "../../kube/index.ts";
import { keyOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";

/** From how many objects of one kind and namespace on one list is cheaper than single reads. */
const minForList = 8;
const pageLimit = 500;
/** How many listed objects cost about as much as a single read: in a namespace with many others single reads are cheaper. */
const listedPerRead = 10;

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
      for await (const [key, object] of listed(wanted, cluster, signal)) seen.set(key, object);
    }),
  );
  return seen;
}

/** The objects of one kind and namespace that lists find, page after page while that is cheaper than reading the rest. */
async function* listed(wanted: readonly ObjectRef[], cluster: Cluster, signal: AbortSignal): AsyncGenerator<readonly [string, KubeObject]> {
  const [like] = wanted;
  const resource = like === undefined ? undefined : await cluster.discovery.find(like);
  if (like === undefined || resource === undefined) return;
  const place = like.namespace === "" ? {} : { namespace: like.namespace };
  const missing = new Set(wanted.map(keyOf));
  let worth = wanted.length * listedPerRead;
  try {
    const selection = { labelSelector: "app.kubernetes.io/managed-by=Helm", limit: pageLimit, ...place, signal };
    for await (const { items } of cluster.pages(resource, selection)) {
      for (const object of items) {
        const key = keyOf({ ...like, name: object.metadata.name });
        if (missing.delete(key)) yield [key, object];
      }
      worth -= items.length;
      if (missing.size < minForList || worth < pageLimit) return;
    }
  } catch (error) {
    // A user without the right to list may still get single objects, and so may one whose page has expired.
    if (!isForbidden(error) && !isGone(error)) throw error;
  }
}
