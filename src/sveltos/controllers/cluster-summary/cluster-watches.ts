import type { ClusterConnection } from "../../fleet/index.ts";
import { newInformer, type ObjectChange, type Selection } from "../../../kube/index.ts";
import { equal, keyOf, type GroupVersionKind, type KubeObject } from "../../../core/object/index.ts";

/** Objects of a managed cluster that a ClusterSummary wants to hear of. */
export type WatchRequest = {
  readonly kind: GroupVersionKind;
  readonly selection: Selection;
  /** Only these, by `keyOf`. Default: all that is selected. */
  readonly among?: ReadonlySet<string>;
  /** Whether it is news how they are doing, and not only what they are meant to be. */
  readonly status: boolean;
};

/** Told whom a change concerns, and which object has changed; without one, that any may have. */
export type ChangeHandler = (key: string, object: string | undefined) => void;

/** One watch of a cluster, for all who are interested in it. */
type SharedWatch = { readonly stop: AbortController; readonly listeners: Map<string, WatchRequest>; synced: boolean };
type Subscriber = { readonly link: ClusterConnection; readonly topics: ReadonlyMap<string, WatchRequest> };

/**
 * Watches of managed clusters: one for each kind and selection that somebody in a cluster is interested in, and only for
 * as long. Whoever begins to listen is told at once, when the watch is complete, that anything may have changed before.
 */
export class ClusterWatches {
  readonly #heard: ChangeHandler;
  readonly #failed: (error: unknown) => void;
  readonly #topics = new WeakMap<ClusterConnection, Map<string, SharedWatch>>();
  readonly #listeners = new Map<string, Subscriber>();
  readonly #running = new Set<Promise<void>>();
  readonly #signal: AbortSignal;

  /** `failed` is told of watches that the cluster refuses for good. */
  constructor(heard: ChangeHandler, failed: (error: unknown) => void, signal: AbortSignal) {
    this.#heard = heard;
    this.#failed = failed;
    this.#signal = signal;
  }

  /** Whether somebody listens by this very link, and so hears of everything. */
  isSubscribed(key: string, link: ClusterConnection): boolean {
    return this.#listeners.get(key)?.link === link;
  }

  /** From now on `key` hears of these, and of nothing else. */
  subscribe(key: string, link: ClusterConnection, interests: readonly WatchRequest[]): void {
    if (interests.length === 0) return this.unsubscribe(key);
    const topics = new Map(interests.map((interest) => [nameOf(interest), interest]));
    const before = this.#listeners.get(key);
    if (before?.link === link && equal(plain(before.topics), plain(topics))) return;
    this.unsubscribe(key);
    this.#listeners.set(key, { link, topics });
    for (const [name, interest] of topics) this.#join(key, link, name, interest);
  }

  unsubscribe(key: string): void {
    const listener = this.#listeners.get(key);
    if (listener === undefined) return;
    this.#listeners.delete(key);
    const topics = this.#topics.get(listener.link);
    for (const name of listener.topics.keys()) {
      const topic = topics?.get(name);
      topic?.listeners.delete(key);
      if (topic?.listeners.size !== 0) continue;
      topics?.delete(name);
      topic.stop.abort(new Error("nobody listens any more"));
    }
  }

  /** Resolves when nothing is watched any more: after the signal has aborted. */
  async drained(): Promise<void> {
    await Promise.all(this.#running);
  }

  #join(key: string, link: ClusterConnection, name: string, interest: WatchRequest): void {
    let topics = this.#topics.get(link);
    if (topics === undefined) this.#topics.set(link, (topics = new Map()));
    const known = topics.get(name);
    if (known !== undefined) {
      known.listeners.set(key, interest);
      if (known.synced) this.#heard(key, undefined);
      return;
    }
    const topic: SharedWatch = { stop: new AbortController(), listeners: new Map([[key, interest]]), synced: false };
    topics.set(name, topic);
    const running = this.#run(topic, link, interest).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #run(topic: SharedWatch, link: ClusterConnection, { kind, selection }: WatchRequest): Promise<void> {
    const signal = AbortSignal.any([this.#signal, link.signal, topic.stop.signal]);
    try {
      for await (const change of newInformer(link.cluster, kind, { ...selection, signal })) {
        if (change.type === "synced") this.#complete(topic);
        else if (change.type !== "interrupted" && topic.synced) this.#tell(topic, kind, change);
      }
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
  }

  #complete(topic: SharedWatch): void {
    topic.synced = true;
    for (const key of topic.listeners.keys()) this.#heard(key, undefined);
  }

  #tell({ listeners }: SharedWatch, kind: GroupVersionKind, change: ObjectChange): void {
    const { namespace = "", name } = change.object.metadata;
    const object = keyOf({ ...kind, namespace, name });
    const isMeant = change.type !== "modified" || !equal(withoutStatus(change.object), withoutStatus(change.previous));
    for (const [key, { among, status }] of listeners) {
      if ((status || isMeant) && (among?.has(object) ?? true)) this.#heard(key, object);
    }
  }
}

function nameOf({ kind: { group, version, kind }, selection: { namespace, labelSelector } }: WatchRequest): string {
  return JSON.stringify([group, version, kind, namespace, labelSelector]);
}

function plain(topics: ReadonlyMap<string, WatchRequest>): unknown {
  return [...topics].map(([name, { among, status }]) => [name, among === undefined ? [] : [...among], status]);
}

/** What an object is meant to be: without how it is doing, and what the server keeps about writes. */
function withoutStatus({ metadata, status: _status, ...rest }: KubeObject): unknown {
  const { resourceVersion: _version, managedFields: _fields, generation: _generation, ...own } = metadata;
  return { ...rest, metadata: own };
}
