import type { Cluster } from "../../kube/index.ts";
import type { ObjectRef } from "../../core/object/index.ts";
import type { Semaphore } from "../track/index.ts";

/** From so many of a kind and namespace on they are listed instead of read one by one. */
const worthListing = 8;

/** Those of the objects that do not exist any more, or are being deleted. What cannot be read is not known to be gone. */
export async function findVanished(
  refs: readonly ObjectRef[],
  cluster: Cluster,
  semaphore: Semaphore,
  signal: AbortSignal,
): Promise<readonly ObjectRef[]> {
  const oneByOne = async (some: readonly ObjectRef[]) => {
    const gone = await Promise.all(some.map((ref) => semaphore.run(() => isVanished(ref, cluster, signal))));
    return some.filter((_, index) => gone[index]);
  };
  const groups = Map.groupBy(refs, ({ group, version, kind, namespace }) => `${group}/${version}/${kind}/${namespace}`);
  const found = await Promise.all(
    Array.from(groups.values(), async (some) => {
      const names = some.length < worthListing ? undefined : await semaphore.run(() => namesBeside(some[0]!, cluster, signal));
      return names === undefined ? oneByOne(some) : some.filter(({ name }) => !names.has(name));
    }),
  );
  return found.flat();
}

async function isVanished(ref: ObjectRef, cluster: Cluster, signal: AbortSignal): Promise<boolean> {
  try {
    const found = await cluster.find(ref, { signal });
    return found === undefined || found.metadata.deletionTimestamp !== undefined;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

/** The names of all objects of the kind in the namespace that are not being deleted; undefined when they may not be listed. */
async function namesBeside(
  { group, version, kind, namespace }: ObjectRef,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  const names = new Set<string>();
  try {
    for await (const { items } of cluster.pages({ group, version, kind }, { ...(namespace === "" ? {} : { namespace }), signal }))
      for (const { metadata } of items) if (metadata.deletionTimestamp === undefined) names.add(metadata.name);
    return names;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
