import type { ShardCoordinator } from "../../reconcile/index.ts";
import type { Fleet } from "./fleet.ts";

/**
 * Shares the clusters of a fleet out over replicas until the signal aborts: every cluster is a key of `shards`, whose
 * work is `fleet.attend`. The fleet must have been made with `attendAll: false`, and must run beside it.
 */
export async function shardFleet(fleet: Fleet, shards: ShardCoordinator, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const listening = (async () => {
    for await (const event of fleet.events(either)) {
      if (event.type === "added") shards.add(event.cluster.key);
      if (event.type === "gone") void shards.remove(event.cluster.key);
    }
  })();
  try {
    await shards.run(either);
  } finally {
    stop.abort();
    await listening;
  }
}
