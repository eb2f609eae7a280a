import type { Cluster } from "../../kube/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { Lookout } from "./lookout.ts";
import { Pods } from "./pods.ts";
import { failedCreations, Refusals } from "./refusals.ts";
import { Wait, type Awaited, type OnReason } from "./wait.ts";

const podKind = { group: "", version: "v1", kind: "Pod" };
const eventKind = { group: "", version: "v1", kind: "Event" };

/** Waits for objects of one cluster by watching them: any number at once, and each costs a listener. */
export class Waits {
  readonly #cluster: Cluster;
  readonly #lookout: Lookout;
  readonly #signal: AbortSignal;
  readonly #pods = new Map<string, Pods>();
  readonly #refusals = new Map<string, Refusals>();

  constructor(cluster: Cluster, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#signal = signal;
    this.#lookout = new Lookout(cluster, signal);
  }

  get cluster(): Cluster {
    return this.#cluster;
  }

  get lookout(): Lookout {
    return this.#lookout;
  }

  podsIn(namespace: string): Pods {
    const known = this.#pods.get(namespace);
    if (known !== undefined) return known;
    const pods = new Pods(this.#lookout.shelf(podKind, namespace));
    this.#pods.set(namespace, pods);
    return pods;
  }

  refusalsIn(namespace: string): Refusals {
    const known = this.#refusals.get(namespace);
    if (known !== undefined) return known;
    const refusals = new Refusals(this.#lookout.shelf(eventKind, namespace, failedCreations));
    this.#refusals.set(namespace, refusals);
    return refusals;
  }

  /** Begins to wait. `answer` is the object as the cluster gave it when it was applied: nothing older counts, and it may be enough. */
  start(awaited: Awaited, answer: KubeObject | undefined, onReason: OnReason): Wait {
    return new Wait(this, awaited, answer, onReason, this.#signal);
  }
}
