import { Fault } from "../../../src/core/fault/index.ts";
import { isGone, type Cluster, type KindOrResource, type WatchEvent } from "../../../src/kube/index.ts";

/**
 * Calls back for every object of a kind and every change of one until the signal aborts. After an expired watch all objects
 * come again as ADDED.
 */
export async function watchForever(
  cluster: Cluster,
  target: KindOrResource,
  signal: AbortSignal,
  onEvent: (event: WatchEvent) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const event of cluster.watch(target, { signal })) if (event.type !== "BOOKMARK") onEvent(event);
    } catch (error) {
      if (signal.aborted) return;
      if (!isGone(error)) throw new Fault(`follow ${target.kind}`, error);
    }
  }
}
