import type { Clock } from "../core/clock/index.ts";
import type { GroupVersionKind } from "../core/object/index.ts";
import { backoffMs } from "./backoff.ts";
import type { Cluster } from "./cluster.ts";
import { isForbidden, isGone } from "./api-fault.ts";
import { isTransient } from "./is-transient.ts";
import type { Resource } from "./resource.ts";
import { restart } from "./restart.ts";

/** The kinds that register other kinds with an API server: CRDs and APIServices. */
const registrationKinds: readonly GroupVersionKind[] = [
  { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" },
  { group: "apiregistration.k8s.io", version: "v1", kind: "APIService" },
];

/**
 * Waits until the server serves a kind. It watches CRDs and APIServices, so it reacts as soon as one of the group is
 * established. The server starts serving a little later, so each registration is followed by several lookups. Users who
 * may not watch registrations fall back to polling.
 */
export async function waitForKind(cluster: Cluster, gvk: GroupVersionKind, signal?: AbortSignal): Promise<Resource> {
  const stop = new AbortController();
  const both = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  const trigger = new DiscoveryTrigger(cluster);
  const watching = registrationKinds.map((kind) => watchRegistrations(cluster, kind, gvk.group, trigger, both));
  try {
    for (;;) {
      const found = await findKind(cluster, gvk, trigger);
      if (found !== undefined) return found;
      signal?.throwIfAborted();
      await trigger.next(both);
    }
  } finally {
    stop.abort();
    await Promise.all(watching);
  }
}

async function findKind(cluster: Cluster, gvk: GroupVersionKind, trigger: DiscoveryTrigger): Promise<Resource | undefined> {
  try {
    return await cluster.discovery.find(gvk);
  } catch (error) {
    // Everybody may ask what is served. An API server that has just started forbids it until it knows its roles.
    if (!isTransient(error) && !isForbidden(error)) throw error;
    trigger.ignoreLastLookup(); // discovery failed, so this lookup does not count
    return undefined;
  }
}

/** Watches one kind of registrations. Every new stream starts with all existing objects, so nothing is missed in between. */
async function watchRegistrations(
  cluster: Cluster,
  kind: GroupVersionKind,
  group: string,
  trigger: DiscoveryTrigger,
  signal: AbortSignal,
): Promise<void> {
  const { clock, random } = cluster;
  await restart({ clock, random, signal }, async (reset) => {
    try {
      if ((await cluster.discovery.find(kind)) === undefined) return "stop";
      for await (const { object } of cluster.watch(kind, { signal })) {
        reset();
        if (object.metadata.name?.endsWith(`.${group}`)) trigger.fire();
      }
    } catch (error) {
      if (signal.aborted || isTransient(error) || isGone(error)) return undefined;
      trigger.pollInstead();
      return "stop";
    }
    return undefined;
  });
}

/** The maximum number of lookups after a registration, with growing delays: about a minute and a half in all. */
const maxLookups = 10;

/** Wakes the current or the next waiter when there is a reason for a lookup. */
class DiscoveryTrigger {
  readonly #clock: Clock;
  readonly #random: () => number;
  #fired = false;
  #isPolling = false;
  #lookups = maxLookups;
  #wake: (() => void) | undefined;

  constructor({ clock, random }: Pick<Cluster, "clock" | "random">) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Triggers a lookup. */
  fire(): void {
    this.#lookups = 0;
    this.#fired = true;
    this.#wake?.();
  }

  /** Does not count the last lookup. */
  ignoreLastLookup(): void {
    this.#lookups = Math.min(this.#lookups, maxLookups - 1);
  }

  /** Polls, because registrations cannot be watched. */
  pollInstead(): void {
    this.#isPolling = true;
    this.fire();
  }

  /** Resolves when there is a reason for a lookup, or the signal aborts. Waiting does not advance a virtual clock. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const settle = () => {
        cancel();
        signal.removeEventListener("abort", settle);
        this.#wake = undefined;
        this.#fired = false;
        resolve();
      };
      const cancel = this.#scheduleLookup(() => settle());
      this.#wake = settle;
      signal.addEventListener("abort", settle);
      if (this.#fired || signal.aborted) settle();
    });
  }

  #scheduleLookup(lookUp: () => void): () => void {
    if (this.#lookups >= maxLookups && !this.#isPolling) return () => undefined;
    this.#lookups++;
    return this.#clock.after(backoffMs(this.#lookups, this.#random), lookUp, { background: true });
  }
}
