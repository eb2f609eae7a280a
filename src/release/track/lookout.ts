import type { Cancel } from "../../core/clock/index.ts";
import { inform, type Cluster, type Informer } from "../../kube/index.ts";
import type { GroupVersionKind, KubeObject } from "../../core/object/index.ts";
import { isBefore } from "./version.ts";

/** Somebody who wants to know about one object. */
export type Listener = {
  /** The object as it is now, or undefined when it is not there; `certain` when that is news and not an old picture. */
  readonly seen: (object: KubeObject | undefined, certain: boolean) => void;
  /** Why nothing is known at the moment. */
  readonly trouble?: (because: string) => void;
  /** Nothing will ever be known. */
  readonly failed: (error: unknown) => void;
};

/**
 * Watches on behalf of many: one informer for each kind and namespace, however many objects of it are asked for, from the
 * first question until the signal aborts.
 */
export class Lookout {
  readonly #cluster: Cluster;
  readonly #signal: AbortSignal;
  readonly #shelves = new Map<string, Shelf>();

  constructor(cluster: Cluster, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#signal = signal;
  }

  /** All of a kind in a namespace, or some of them; of all namespaces when it is empty. */
  shelf({ group, version, kind }: GroupVersionKind, namespace: string, fieldSelector = ""): Shelf {
    const key = `${group}/${version}/${kind}/${namespace}?${fieldSelector}`;
    let shelf = this.#shelves.get(key);
    if (shelf === undefined) {
      const selection = { ...(namespace === "" ? {} : { namespace }), ...(fieldSelector === "" ? {} : { fieldSelector }) };
      shelf = new Shelf(inform(this.#cluster, { group, version, kind }, { ...selection, signal: this.#signal }), namespace);
      this.#shelves.set(key, shelf);
    }
    return shelf;
  }
}

/** The objects of one kind and namespace, and those who listen. */
export class Shelf {
  readonly #informer: Informer;
  readonly #namespace: string;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #watchers = new Map<(object: KubeObject) => void, (error: unknown) => void>();
  #synced = false;
  #trouble: Error | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(informer: Informer, namespace: string) {
    this.#informer = informer;
    this.#namespace = namespace;
    void this.#read();
  }

  /** Whether all that was there at the beginning has been told. */
  get isSynced(): boolean {
    return this.#synced;
  }

  all(): Iterable<KubeObject> {
    return this.#informer.store.all();
  }

  find(name: string): KubeObject | undefined {
    return this.#informer.store.find(this.#namespace, name);
  }

  /** Whether all that is known is from before this state of an object: then there will be news of it. */
  isBehind({ metadata }: KubeObject): boolean {
    return isBefore(this.#informer.seen, metadata.resourceVersion);
  }

  /** Tells of every object that changes, comes or goes; and of what keeps it from being known, for now or for ever. */
  watch(on: (object: KubeObject) => void, trouble: (error: unknown) => void = () => undefined): Cancel {
    this.#watchers.set(on, trouble);
    if (this.#failure !== undefined) trouble(this.#failure.error);
    else if (this.#trouble !== undefined) trouble(this.#trouble);
    return () => void this.#watchers.delete(on);
  }

  /** Tells of one object: once as soon as it is known whether it is there, and at every change. */
  follow(name: string, listener: Listener): Cancel {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    if (this.#failure !== undefined) listener.failed(this.#failure.error);
    else if (this.#synced) listener.seen(this.find(name), false);
    else if (this.#trouble !== undefined) listener.trouble?.(this.#trouble.message);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(name);
    };
  }

  async #read(): Promise<void> {
    try {
      for await (const change of this.#informer) {
        if (change.type === "synced") this.#sync();
        else if (change.type === "interrupted") this.#interrupt(change.because);
        else this.#tell(change.object, change.type !== "deleted");
      }
    } catch (error) {
      this.#failure = { error };
      for (const listeners of this.#listeners.values()) for (const listener of listeners) listener.failed(error);
      for (const trouble of this.#watchers.values()) trouble(error);
    }
  }

  #tell(object: KubeObject, there: boolean): void {
    this.#trouble = undefined;
    for (const listener of this.#listeners.get(object.metadata.name) ?? []) listener.seen(there ? object : undefined, true);
    for (const watcher of this.#watchers.keys()) watcher(object);
  }

  /** The list was made after everybody here asked. */
  #sync(): void {
    this.#synced = true;
    this.#trouble = undefined;
    for (const [name, listeners] of this.#listeners) {
      if (this.find(name) !== undefined) continue;
      for (const listener of listeners) listener.seen(undefined, true);
    }
  }

  #interrupt(because: Error): void {
    this.#trouble = because;
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener.trouble?.(because.message);
    for (const trouble of this.#watchers.values()) trouble(because);
  }
}
