import type { ClusterConnection } from "../../fleet/index.ts";
import { newInformer, type ObjectChange, type Selection } from "../../../kube/index.ts";
import { equal, keyOf, type GroupVersionKind, type KubeObject, type ObjectRef } from "../../../core/object/index.ts";
import { summaryIdentity, type SummaryKey } from "./summary-key.ts";

/** Objects of a managed cluster whose changes a ClusterSummary subscribes to. */
export type WatchRequest = {
  readonly kind: GroupVersionKind;
  readonly selection: Selection;
  /** Only these, by `keyOf`. Default: all that is selected. */
  readonly among?: ReadonlySet<string>;
  /** Whether changes of their status count too. */
  readonly status: boolean;
};

/** Gets the key of each subscriber and the object that has changed; without one, any may have. */
type ChangeHandler = (key: SummaryKey, changed: ObjectRef | undefined) => void;

/** One watch of a cluster, for all its subscribers by identity. */
type SharedWatch = { readonly stop: AbortController; readonly subscribers: Map<string, Subscription>; synced: boolean };
type Subscription = { readonly key: SummaryKey; readonly request: WatchRequest };
/** The requests of a subscriber, by the name of their watch. */
type Subscriber = { readonly connection: ClusterConnection; readonly requests: ReadonlyMap<string, WatchRequest> };

/**
 * Watches of managed clusters, one for each kind and selection, as long as it has subscribers. A new subscriber is called
 * once the watch is synced, since any object may have changed before.
 */
export class ClusterWatches {
  readonly #handler: ChangeHandler;
  readonly #failed: (error: unknown) => void;
  readonly #watches = new WeakMap<ClusterConnection, Map<string, SharedWatch>>();
  readonly #subscribers = new Map<string, Subscriber>();
  readonly #running = new Set<Promise<void>>();
  readonly #signal: AbortSignal;

  /** `failed` gets the errors of watches that a cluster refuses for good. */
  constructor(handler: ChangeHandler, failed: (error: unknown) => void, signal: AbortSignal) {
    this.#handler = handler;
    this.#failed = failed;
    this.#signal = signal;
  }

  /** Whether it is subscribed on this very connection, and so misses no change. */
  isSubscribed(key: SummaryKey, connection: ClusterConnection): boolean {
    return this.#subscribers.get(summaryIdentity(key))?.connection === connection;
  }

  /** Replaces all subscriptions of `key` by these. */
  subscribe(key: SummaryKey, connection: ClusterConnection, wanted: readonly WatchRequest[]): void {
    if (wanted.length === 0) return this.unsubscribe(key);
    const requests = new Map(wanted.map((request) => [nameOf(request), request]));
    const before = this.#subscribers.get(summaryIdentity(key));
    if (before?.connection === connection && equal(plain(before.requests), plain(requests))) return;
    this.unsubscribe(key);
    this.#subscribers.set(summaryIdentity(key), { connection, requests });
    for (const [name, request] of requests) this.#join({ key, request }, connection, name);
  }

  unsubscribe(key: SummaryKey): void {
    const id = summaryIdentity(key);
    const subscriber = this.#subscribers.get(id);
    if (subscriber === undefined) return;
    this.#subscribers.delete(id);
    const watches = this.#watches.get(subscriber.connection);
    for (const name of subscriber.requests.keys()) {
      const watch = watches?.get(name);
      watch?.subscribers.delete(id);
      if (watch?.subscribers.size !== 0) continue;
      watches?.delete(name);
      watch.stop.abort(new Error("the watch has no subscribers"));
    }
  }

  /** Resolves when all watches have ended, after the signal has aborted. */
  async drained(): Promise<void> {
    await Promise.all(this.#running);
  }

  #join(subscription: Subscription, connection: ClusterConnection, name: string): void {
    const { key, request } = subscription;
    const id = summaryIdentity(key);
    let watches = this.#watches.get(connection);
    if (watches === undefined) this.#watches.set(connection, (watches = new Map()));
    const known = watches.get(name);
    if (known !== undefined) {
      known.subscribers.set(id, subscription);
      if (known.synced) this.#handler(key, undefined);
      return;
    }
    const watch: SharedWatch = { stop: new AbortController(), subscribers: new Map([[id, subscription]]), synced: false };
    watches.set(name, watch);
    const running = this.#run(watch, connection, request).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #run(watch: SharedWatch, connection: ClusterConnection, { kind, selection }: WatchRequest): Promise<void> {
    const signal = AbortSignal.any([this.#signal, connection.signal, watch.stop.signal]);
    try {
      for await (const change of newInformer(connection.cluster, kind, { ...selection, signal })) {
        if (change.type === "synced") this.#synced(watch);
        else if (change.type !== "interrupted" && watch.synced) this.#changed(watch, kind, change);
      }
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
  }

  #synced(watch: SharedWatch): void {
    watch.synced = true;
    for (const { key } of watch.subscribers.values()) this.#handler(key, undefined);
  }

  #changed({ subscribers }: SharedWatch, kind: GroupVersionKind, change: ObjectChange): void {
    const { namespace = "", name } = change.object.metadata;
    const ref = { ...kind, namespace, name };
    const id = keyOf(ref);
    const isSpecChange = change.type !== "modified" || !equal(withoutStatus(change.object), withoutStatus(change.previous));
    for (const { key, request } of subscribers.values()) {
      if ((request.status || isSpecChange) && (request.among?.has(id) ?? true)) this.#handler(key, ref);
    }
  }
}

function nameOf({ kind: { group, version, kind }, selection: { namespace, labelSelector } }: WatchRequest): string {
  return JSON.stringify([group, version, kind, namespace, labelSelector]);
}

function plain(requests: ReadonlyMap<string, WatchRequest>): unknown {
  return [...requests].map(([name, { among, status }]) => [name, among === undefined ? [] : [...among], status]);
}

/** An object without its status and without what the API server changes on every write. */
function withoutStatus({ metadata, status: _status, ...rest }: KubeObject): unknown {
  const { resourceVersion: _version, managedFields: _fields, generation: _generation, ...own } = metadata;
  return { ...rest, metadata: own };
}
