import type { Clock } from "../clock/index.ts";
import type { GroupVersionKind } from "../object/index.ts";
import { backoffMs } from "./backoff.ts";
import type { Cluster } from "./cluster.ts";
import { mayPass } from "./passing.ts";
import type { Resource } from "./resource.ts";

const definitions = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };

/**
 * Waits until the server serves a kind. Definitions of its group are watched, so it is known in the moment one is
 * established; a timer that grows slower looks as well, for kinds that come another way (aggregated APIs) and for
 * users who may not watch definitions.
 */
export async function untilServed(cluster: Cluster, gvk: GroupVersionKind, signal?: AbortSignal): Promise<Resource> {
  const stop = new AbortController();
  const both = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  const news = new News();
  const watching = tellOfDefinitions(cluster, gvk.group, news, both);
  try {
    for (let looks = 1; ; looks++) {
      const found = await findOrUndefined(cluster, gvk);
      if (found !== undefined) return found;
      signal?.throwIfAborted();
      if (await news.within(cluster.clock, backoffMs(looks, cluster.random), both)) looks = 0;
    }
  } finally {
    stop.abort();
    await watching;
  }
}

async function findOrUndefined(cluster: Cluster, gvk: GroupVersionKind): Promise<Resource | undefined> {
  try {
    return await cluster.discovery.find(gvk);
  } catch (error) {
    if (mayPass(error)) return undefined;
    throw error;
  }
}

async function tellOfDefinitions(cluster: Cluster, group: string, news: News, signal: AbortSignal): Promise<void> {
  try {
    for await (const { object } of cluster.watch(definitions, { signal })) {
      if (object.metadata.name?.endsWith(`.${group}`)) news.tell();
    }
  } catch {
    // Refused, too old or aborted: the timer looks on by itself.
  }
}

/** Wakes whoever waits, or the next who does. */
class News {
  #told = false;
  #wake: (() => void) | undefined;

  tell(): void {
    if (this.#wake === undefined) this.#told = true;
    else this.#wake();
  }

  /** Whether there is news within so much time. Waiting for it is no reason for a virtual clock to move. */
  within(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
    if (this.#told) {
      this.#told = false;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const settle = (told: boolean) => {
        cancel();
        signal.removeEventListener("abort", giveUp);
        this.#wake = undefined;
        resolve(told);
      };
      const giveUp = () => settle(false);
      const cancel = clock.after(ms, giveUp, { background: true });
      signal.addEventListener("abort", giveUp);
      this.#wake = () => settle(true);
    });
  }
}
