import type { Clock } from "../core/clock/index.ts";
import type { GroupVersionKind } from "../core/object/index.ts";
import { backoffMs } from "./backoff.ts";
import type { Cluster } from "./cluster.ts";
import { isGone } from "./api-fault.ts";
import { isTransient } from "./is-transient.ts";
import type { Resource } from "./resource.ts";
import { restart } from "./restart.ts";

/** By these an API server is told what to serve: definitions, and servers behind it that have a group. */
const registrationKinds: readonly GroupVersionKind[] = [
  { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" },
  { group: "apiregistration.k8s.io", version: "v1", kind: "APIService" },
];

/**
 * Waits until the server serves a kind. What announces kinds is watched, so it is known in the moment one of the group is
 * established; a server serves a little later what it was told to, so each announcement is followed up for a while. Only
 * for users who may not watch announcements the clock alone is a reason to look.
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
    if (!isTransient(error)) throw error;
    trigger.ignoreLastLookup(); // nobody could say, so this was no look
    return undefined;
  }
}

/** Watches one kind of announcements. Every new stream begins with all there are, so nothing is missed between two. */
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

/** How often an announcement is followed up, ever more seldom: for about a minute and a half. */
const mostFollowUps = 10;

/** Wakes whoever waits, or the next who does, when there is a reason to look. */
class DiscoveryTrigger {
  readonly #clock: Clock;
  readonly #random: () => number;
  #told = false;
  #blind = false;
  #followUps = mostFollowUps;
  #wake: (() => void) | undefined;

  constructor({ clock, random }: Pick<Cluster, "clock" | "random">) {
    this.#clock = clock;
    this.#random = random;
  }

  /** There was an announcement. */
  fire(): void {
    this.#followUps = 0;
    this.#told = true;
    this.#wake?.();
  }

  /** The last look does not count. */
  ignoreLastLookup(): void {
    this.#followUps = Math.min(this.#followUps, mostFollowUps - 1);
  }

  /** There will be no announcements. */
  pollInstead(): void {
    this.#blind = true;
    this.fire();
  }

  /** Resolves when there is a reason to look, or the signal aborts. Waiting is no reason for a virtual clock to move. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const settle = () => {
        cancel();
        signal.removeEventListener("abort", settle);
        this.#wake = undefined;
        this.#told = false;
        resolve();
      };
      const cancel = this.#followUp(() => settle());
      this.#wake = settle;
      signal.addEventListener("abort", settle);
      if (this.#told || signal.aborted) settle();
    });
  }

  #followUp(look: () => void): () => void {
    if (this.#followUps >= mostFollowUps && !this.#blind) return () => undefined;
    this.#followUps++;
    return this.#clock.after(backoffMs(this.#followUps, this.#random), look, { background: true });
  }
}
