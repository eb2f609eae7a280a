import { isForbidden, type Cluster } from "../../kube/index.ts";
import { keyOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";

/** From how many objects of one kind and place on a list is cheaper than asking for each. */
const worthAList = 8;
/** A list is not followed further than this: who shares its place with thousands asks for its own one by one. */
const mostOnAPage = 500;

/**
 * Objects that can be seen with few questions: of kinds that many are wanted of, those that some release has. What is not
 * found here may be there all the same.
 */
export async function prefetchLive(
  refs: readonly ObjectRef[],
  cluster: Cluster,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, KubeObject>> {
  const seen = new Map<string, KubeObject>();
  const groups = Map.groupBy(refs, ({ group, version, kind, namespace }) => `${group}/${version}/${kind}/${namespace}`);
  const many = [...groups.values()].filter(({ length }) => length >= worthAList);
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
    const selection = { labelSelector: "app.kubernetes.io/managed-by=Helm", limit: mostOnAPage, ...place, signal };
    for await (const { items } of cluster.pages(resource, selection)) return items;
  } catch (error) {
    // Who may not list may still look at each.
    if (!isForbidden(error)) throw error;
  }
  return [];
}
