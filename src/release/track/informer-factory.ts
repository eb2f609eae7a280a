import type { Cancel } from "../../core/clock/index.ts";
import { newInformer, type Cluster, type Informer } from "../../kube/index.ts";
import type { GroupVersionKind, KubeObject } from "../../core/object/index.ts";
import { isEarlierVersion } from "./resource-version.ts";

/** Handles the changes of one object. */
type ObjectHandler = {
  /** The object, or undefined when it does not exist. `certain` is false when the cache may be stale. */
  readonly onObject: (object: KubeObject | undefined, certain: boolean) => void;
  /** Is called when the watch is interrupted. */
  readonly onInterrupted?: (because: string) => void;
  /** Is called when the watch has failed for good. */
  readonly onFailed: (error: unknown) => void;
};

/** Is called when a watch is interrupted, or has failed for good. */
export type OnTrouble = (error: unknown, final: boolean) => void;

/** Shares informers: one per kind and namespace, from the first use until the signal aborts. */
export class InformerFactory {
  readonly #cluster: Cluster;
  readonly #signal: AbortSignal;
  readonly #informers = new Map<string, SharedInformer>();

  constructor(cluster: Cluster, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#signal = signal;
  }

  /** The informer of a kind in a namespace, or in all when it is empty. */
  informerFor({ group, version, kind }: GroupVersionKind, namespace: string, fieldSelector = ""): SharedInformer {
    const key = `${group}/${version}/${kind}/${namespace}?${fieldSelector}`;
    let informer = this.#informers.get(key);
    if (informer === undefined) {
      const selection = { ...(namespace === "" ? {} : { namespace }), ...(fieldSelector === "" ? {} : { fieldSelector }) };
      informer = new SharedInformer(
        newInformer(this.#cluster, { group, version, kind }, { ...selection, signal: this.#signal, resumptions: true }),
        namespace,
      );
      this.#informers.set(key, informer);
    }
    return informer;
  }
}

/** An informer with handlers for single objects and for all of them. */
export class SharedInformer {
  readonly #informer: Informer;
  readonly #namespace: string;
  readonly #handlers = new Map<string, Set<ObjectHandler>>();
  readonly #watchers = new Set<(object: KubeObject) => void>();
  readonly #onTrouble = new Set<OnTrouble>();
  readonly #onSynced = new Set<() => void>();
  #synced = false;
  #trouble: Error | undefined;
  /** Handlers have been told of an interruption, and not yet of its end. */
  #isInterrupted = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(informer: Informer, namespace: string) {
    this.#informer = informer;
    this.#namespace = namespace;
    void this.#read();
  }

  /** Whether the initial list has been read. */
  get isSynced(): boolean {
    return this.#synced;
  }

  all(): Iterable<KubeObject> {
    return this.#informer.lister.all();
  }

  find(name: string): KubeObject | undefined {
    return this.#informer.lister.find(this.#namespace, name);
  }

  /** Whether the cache is older than this state of an object, so that a newer one will arrive. */
  isBehind({ metadata }: KubeObject): boolean {
    return isEarlierVersion(this.#informer.lastSyncResourceVersion, metadata.resourceVersion);
  }

  /** Calls back for every changed, added or deleted object. */
  watch(on: (object: KubeObject) => void): Cancel {
    this.#watchers.add(on);
    return () => void this.#watchers.delete(on);
  }

  /** Calls back for interruptions and failures. */
  onTrouble(on: OnTrouble): Cancel {
    this.#onTrouble.add(on);
    if (this.#failure !== undefined) on(this.#failure.error, true);
    else if (this.#trouble !== undefined) on(this.#trouble, false);
    return () => void this.#onTrouble.delete(on);
  }

  /** Calls back once, when the initial list has been read. */
  onSynced(on: () => void): Cancel {
    if (this.#synced) {
      on();
      return () => undefined;
    }
    this.#onSynced.add(on);
    return () => void this.#onSynced.delete(on);
  }

  /** Calls back for one object: once when its existence is known, and at every change. */
  follow(name: string, listener: ObjectHandler): Cancel {
    const listeners = this.#handlers.get(name) ?? new Set();
    this.#handlers.set(name, listeners.add(listener));
    if (this.#failure !== undefined) listener.onFailed(this.#failure.error);
    else if (this.#synced) listener.onObject(this.find(name), false);
    else if (this.#trouble !== undefined) listener.onInterrupted?.(this.#trouble.message);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#handlers.delete(name);
    };
  }

  async #read(): Promise<void> {
    try {
      for await (const change of this.#informer) {
        if (change.type === "synced") this.#sync();
        else if (change.type === "interrupted") this.#interrupt(change.because);
        else this.#notify(change.object, change.type !== "deleted");
      }
    } catch (error) {
      this.#failure = { error };
      for (const listeners of this.#handlers.values()) for (const listener of listeners) listener.onFailed(error);
      for (const on of this.#onTrouble) on(error, true);
    }
  }

  #notify(object: KubeObject, there: boolean): void {
    this.#trouble = undefined;
    for (const listener of this.#handlers.get(object.metadata.name) ?? []) listener.onObject(there ? object : undefined, true);
    for (const watcher of this.#watchers) watcher(object);
  }

  /**
   * The list was made after all these handlers were added. After an interruption also what has not changed is reported, in
   * the place of the interruption.
   */
  #sync(): void {
    const wasInterrupted = this.#isInterrupted;
    this.#synced = true;
    this.#isInterrupted = false;
    this.#trouble = undefined;
    for (const [name, listeners] of this.#handlers) {
      const object = this.find(name);
      if (object !== undefined && !wasInterrupted) continue;
      for (const listener of listeners) listener.onObject(object, true);
    }
    for (const on of this.#onSynced) on();
    this.#onSynced.clear();
  }

  #interrupt(because: Error): void {
    this.#isInterrupted = true;
    this.#trouble = because;
    for (const listeners of this.#handlers.values()) for (const listener of listeners) listener.onInterrupted?.(because.message);
    for (const on of this.#onTrouble) on(because, false);
  }
}
