import { sleep } from "../clock/index.ts";
import { backoffMs } from "./backoff.ts";
import type { Cluster } from "./cluster.ts";
import { mayPass } from "./passing.ts";
import type { Target } from "./resource.ts";
import type { WatchEvent, WatchOptions } from "./watch.ts";

/** Strings streams together: each goes on after the last event of the one before it. */
export async function* resumingWatch(cluster: Cluster, target: Target, options: WatchOptions): AsyncGenerator<WatchEvent> {
  const { signal } = options;
  let seen = options.resourceVersion;
  let fruitless = 0;
  for (;;) {
    signal?.throwIfAborted();
    try {
      const since = seen === undefined ? options : { ...options, resourceVersion: seen };
      for await (const batch of await cluster.openWatch(target, since)) {
        fruitless = 0;
        for (const event of batch) {
          seen = event.object.metadata.resourceVersion ?? seen;
          yield event;
        }
      }
    } catch (error) {
      if (signal?.aborted || !mayPass(error)) throw error;
    }
    // A stream that ends at once, again and again, must not become a storm of requests.
    fruitless++;
    await sleep(cluster.clock, backoffMs(fruitless, cluster.random), signal);
  }
}
