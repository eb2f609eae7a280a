import type { ShardCoordinator } from "../../reconcile/index.ts";
import type { Fleet } from "./fleet.ts";

/**
 * Shares the clusters of a fleet among replicas until the signal aborts. Every cluster is a key of `shards`, whose work is
 * `fleet.manage`. The fleet must run at the same time and must have the option `manageAll: false`.
 */
export async function shardFleet(fleet: Fleet, shards: ShardCoordinator, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const keysFollow = (async () => {
    for await (const event of fleet.events(either)) {
      if (event.type === "added") shards.add(event.cluster.key);
      if (event.type === "gone") void shards.remove(event.cluster.key);
    }
  })();
  try {
    await shards.run(either);
  } finally {
    stop.abort();
    await keysFollow;
  }
}
