import type { Link } from "../../fleet/index.ts";
import { inform, type ObjectChange, type Selection } from "../../../kube/index.ts";
import { equal, keyOf, type GroupVersionKind, type KubeObject } from "../../../core/object/index.ts";

/** Objects of a managed cluster that a ClusterSummary wants to hear of. */
export type Interest = {
  readonly kind: GroupVersionKind;
  readonly selection: Selection;
  /** Only these, by `keyOf`. Default: all that is selected. */
  readonly among?: ReadonlySet<string>;
  /** Whether it is news how they are doing, and not only what they are meant to be. */
  readonly status: boolean;
};

/** Told whom a change concerns, and which object has changed; without one, that any may have. */
export type Heard = (key: string, object: string | undefined) => void;

/** One watch of a cluster, for all who are interested in it. */
type Topic = { readonly stop: AbortController; readonly listeners: Map<string, Interest>; synced: boolean };
type Listener = { readonly link: Link; readonly topics: ReadonlyMap<string, Interest> };

/**
 * Watches of managed clusters: one for each kind and selection that somebody in a cluster is interested in, and only for
 * as long. Whoever begins to listen is told at once, when the watch is complete, that anything may have changed before.
 */
export class Watches {
  readonly #heard: Heard;
  readonly #failed: (error: unknown) => void;
  readonly #topics = new WeakMap<Link, Map<string, Topic>>();
  readonly #listeners = new Map<string, Listener>();
  readonly #running = new Set<Promise<void>>();
  readonly #signal: AbortSignal;

  /** `failed` is told of watches that the cluster refuses for good. */
  constructor(heard: Heard, failed: (error: unknown) => void, signal: AbortSignal) {
    this.#heard = heard;
    this.#failed = failed;
    this.#signal = signal;
  }

  /** Whether somebody listens by this very link, and so hears of everything. */
  isListening(key: string, link: Link): boolean {
    return this.#listeners.get(key)?.link === link;
  }

  /** From now on `key` hears of these, and of nothing else. */
  listen(key: string, link: Link, interests: readonly Interest[]): void {
    if (interests.length === 0) return this.leave(key);
    const topics = new Map(interests.map((interest) => [nameOf(interest), interest]));
    const before = this.#listeners.get(key);
    if (before?.link === link && equal(plain(before.topics), plain(topics))) return;
    this.leave(key);
    this.#listeners.set(key, { link, topics });
    for (const [name, interest] of topics) this.#join(key, link, name, interest);
  }

  leave(key: string): void {
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
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  #join(key: string, link: Link, name: string, interest: Interest): void {
    let topics = this.#topics.get(link);
    if (topics === undefined) this.#topics.set(link, (topics = new Map()));
    const known = topics.get(name);
    if (known !== undefined) {
      known.listeners.set(key, interest);
      if (known.synced) this.#heard(key, undefined);
      return;
    }
    const topic: Topic = { stop: new AbortController(), listeners: new Map([[key, interest]]), synced: false };
    topics.set(name, topic);
    const running = this.#run(topic, link, interest).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #run(topic: Topic, link: Link, { kind, selection }: Interest): Promise<void> {
    const signal = AbortSignal.any([this.#signal, link.signal, topic.stop.signal]);
    try {
      for await (const change of inform(link.cluster, kind, { ...selection, signal })) {
        if (change.type === "synced") this.#complete(topic);
        else if (change.type !== "interrupted" && topic.synced) this.#tell(topic, kind, change);
      }
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
  }

  #complete(topic: Topic): void {
    topic.synced = true;
    for (const key of topic.listeners.keys()) this.#heard(key, undefined);
  }

  #tell({ listeners }: Topic, kind: GroupVersionKind, change: ObjectChange): void {
    const { namespace = "", name } = change.object.metadata;
    const object = keyOf({ ...kind, namespace, name });
    const isMeant = change.type !== "modified" || !equal(meant(change.object), meant(change.previous));
    for (const [key, { among, status }] of listeners) {
      if ((status || isMeant) && (among?.has(object) ?? true)) this.#heard(key, object);
    }
  }
}

function nameOf({ kind: { group, version, kind }, selection: { namespace, labelSelector } }: Interest): string {
  return JSON.stringify([group, version, kind, namespace, labelSelector]);
}

function plain(topics: ReadonlyMap<string, Interest>): unknown {
  return [...topics].map(([name, { among, status }]) => [name, among === undefined ? [] : [...among], status]);
}

/** What an object is meant to be: without how it is doing, and what the server keeps about writes. */
function meant({ metadata, status: _status, ...rest }: KubeObject): unknown {
  const { resourceVersion: _version, managedFields: _fields, generation: _generation, ...own } = metadata;
  return { ...rest, metadata: own };
}
