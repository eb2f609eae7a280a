import { backoffMs } from "./backoff.ts";
import type { Cluster } from "./cluster.ts";
import { isTransient } from "./is-transient.ts";
import type { KindOrResource } from "./resource.ts";
import type { WatchEvent, WatchOptions } from "./watch.ts";

/**
 * Joins watches into one: each continues after the last event of the previous one. The initial objects are listed
 * instead of watched, because their events are in no order and cannot be resumed. Models client-go
 * tools/watch/retrywatcher.go
 */
export async function* retryWatch(cluster: Cluster, target: KindOrResource, options: WatchOptions): AsyncGenerator<WatchEvent> {
  const { signal, resourceVersion, timeoutSeconds: _, ...selection } = options;
  let seen = resourceVersion;
  if (seen === undefined) {
    const list = await cluster.list(target, { ...selection, signal });
    for (const object of list.items) yield { type: "ADDED", object };
    seen = list.resourceVersion;
  }
  for (let fruitless = 0; ;) {
    signal?.throwIfAborted();
    try {
      for await (const batch of await cluster.openWatch(target, { ...options, resourceVersion: seen })) {
        fruitless = 0;
        for (const event of batch) {
          seen = event.object.metadata.resourceVersion ?? seen;
          yield event;
        }
      }
    } catch (error) {
      if (signal?.aborted || !isTransient(error)) throw error;
    }
    // A stream that keeps ending at once must not cause a storm of requests.
    fruitless++;
    await cluster.backOff(backoffMs(fruitless, cluster.random), signal);
  }
}
