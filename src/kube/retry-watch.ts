import { sleep } from "../core/clock/index.ts";
import { backoffMs } from "./backoff.ts";
import type { Cluster } from "./cluster.ts";
import { isTransient } from "./is-transient.ts";
import type { KindOrResource } from "./resource.ts";
import type { WatchEvent, WatchOptions } from "./watch.ts";

/**
 * Strings streams together: each goes on after the last event of the one before it. What is there at the start is
 * listed, since a stream that breaks while it tells of that cannot be taken up again: those events are in no order.
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
    // A stream that ends at once, again and again, must not become a storm of requests.
    fruitless++;
    await sleep(cluster.clock, backoffMs(fruitless, cluster.random), signal);
  }
}
