import { Fault } from "../core/fault/index.ts";
import type { KubeObject } from "../core/object/index.ts";
import { orAborted, type Abortable, type Selection } from "./selection.ts";
import type { Cluster } from "./cluster.ts";
import { ObjectIndex, type Index, type IndexFunc } from "./object-index.ts";
import { isOlderResourceVersion, Reflector, type InformerEvent } from "./reflector.ts";
import type { KindOrResource } from "./resource.ts";
import { ObjectStore, type Lister } from "./object-store.ts";
import { Subscription } from "./subscription.ts";

export type InformerOptions = Selection &
  Abortable & {
    /** Emits `synced` again when the informer has recovered after `interrupted`. Default false. */
    readonly resumptions?: boolean;
    /** Emits the pages of the first list as they arrive: what is missing before `synced` may be on a later one. Default false. */
    readonly byPage?: boolean;
    /** Transforms each object before it is stored and emitted. Default: none. */
    readonly transform?: (object: KubeObject) => KubeObject;
  };

/**
 * A cache of the objects of a kind, with events for any number of readers.
 *
 * Each reader first receives all existing objects as `added`, then `synced`, then every change in order. It runs while
 * somebody reads it, or after `waitForSync()`, until the signal aborts or `close` is called. Then its readers end.
 */
export class Informer implements AsyncIterable<InformerEvent> {
  readonly #reflector: Reflector;
  readonly #store: ObjectStore;
  readonly #readers = new Set<Subscription<InformerEvent>>();
  readonly #indexes = new Set<ObjectIndex>();
  readonly #waiting = new Set<() => void>();
  readonly #signal: AbortSignal | undefined;
  #stop: AbortController | undefined;
  #synced = Promise.withResolvers<void>();
  #isSynced = false;
  /** `interrupted` was emitted, and no `synced` since then. */
  #isInterrupted = false;
  readonly #resumptions: boolean;
  #keepsRunning = false;
  readonly #abort = () => this.close();

  constructor(cluster: Cluster, target: KindOrResource, options: InformerOptions = {}) {
    const { signal, resumptions = false, byPage = false, transform, ...selection } = options;
    this.#store = new ObjectStore(transform);
    this.#resumptions = resumptions;
    const { group, version, kind } = target;
    this.#signal = signal;
    this.#reflector = new Reflector(cluster, { group, version, kind }, { ...selection, byPage }, this.#store, (changes) =>
      this.#publish(changes),
    );
    this.#synced.promise.catch(() => undefined); // callers of waitForSync receive the error
    signal?.addEventListener("abort", this.#abort, { once: true });
  }

  /** The objects in the cache. Complete after `synced`. */
  get lister(): Lister {
    return this.#store;
  }

  /** The resourceVersion up to which the store is complete. Undefined when it is not known. */
  get lastSyncResourceVersion(): string | undefined {
    return this.#reflector.lastSyncResourceVersion;
  }

  /** Adds an index, which is kept up to date until the signal aborts. */
  addIndex(keysOf: IndexFunc, { signal }: Abortable = {}): Index {
    const index = new ObjectIndex(keysOf);
    if (signal?.aborted === true) return index;
    for (const object of this.#store.all()) index.update({ type: "added", object });
    this.#indexes.add(index);
    signal?.addEventListener("abort", () => this.#indexes.delete(index), { once: true });
    return index;
  }

  /** Resolves when the store has reached this resourceVersion or a later one. */
  async waitForResourceVersion(resourceVersion: string, { signal }: Abortable = {}): Promise<void> {
    await this.#until(
      () => this.lastSyncResourceVersion !== undefined && !isOlderResourceVersion(this.lastSyncResourceVersion, resourceVersion),
      signal,
    );
  }

  /** Resolves when the store no longer has the object with this uid. */
  async waitForDeletion({ metadata: { namespace = "", name, uid } }: KubeObject, { signal }: Abortable = {}): Promise<void> {
    await this.#until(() => this.#isSynced && this.#store.find(namespace, name)?.metadata.uid !== uid, signal);
  }

  [Symbol.asyncIterator](): AsyncIterator<InformerEvent> {
    const reader: Subscription<InformerEvent> = new Subscription(() => this.#removeReader(reader));
    if (this.#signal?.aborted) {
      reader.end();
      return reader;
    }
    this.#readers.add(reader);
    reader.push([...this.#store.all()].map((object) => ({ type: "added", object })));
    if (this.#isSynced) reader.push([{ type: "synced" }]);
    this.#start();
    return reader;
  }

  /** Resolves when the store is complete. From then on the informer runs even without readers. */
  async waitForSync({ signal }: Abortable = {}): Promise<Lister> {
    this.#signal?.throwIfAborted();
    this.#keepsRunning = true;
    this.#start();
    await orAborted(this.#synced.promise, signal);
    return this.#store;
  }

  close(): void {
    this.#signal?.removeEventListener("abort", this.#abort);
    this.#keepsRunning = false;
    this.#end(this.#signal?.aborted ? this.#signal.reason : new Fault("the informer was closed"));
    for (const reader of this.#readers) reader.end();
    this.#readers.clear();
  }

  async #until(holds: () => boolean, signal: AbortSignal | undefined): Promise<void> {
    if (holds()) return;
    const held = Promise.withResolvers<void>();
    const check = () => {
      if (holds()) held.resolve();
    };
    this.#waiting.add(check);
    try {
      await orAborted(held.promise, signal);
    } finally {
      this.#waiting.delete(check);
    }
  }

  #start(): void {
    if (this.#stop !== undefined) return;
    const stop = new AbortController();
    this.#stop = stop;
    this.#reflector.run(stop.signal).catch((error: unknown) => this.#fail(error));
  }

  #publish(changes: readonly InformerEvent[]): void {
    const last = changes.at(-1);
    const again = last?.type === "synced" && this.#isSynced;
    if (last?.type === "synced" && !again) {
      this.#isSynced = true;
      this.#synced.resolve();
    }
    for (const index of this.#indexes) for (const change of changes) index.update(change);
    for (const check of this.#waiting) check();
    // `synced` is emitted once, however often the reflector has to list again.
    const emitted = again && !(this.#resumptions && this.#isInterrupted) ? changes.slice(0, -1) : changes;
    if (last?.type === "synced") this.#isInterrupted = false;
    if (last?.type === "interrupted") this.#isInterrupted = true;
    for (const reader of this.#readers) reader.push(emitted);
  }

  #fail(error: unknown): void {
    this.#end(error);
    for (const reader of this.#readers) reader.end(error);
    this.#readers.clear();
  }

  #removeReader(reader: Subscription<InformerEvent>): void {
    this.#readers.delete(reader);
    if (this.#readers.size === 0 && !this.#keepsRunning) this.#end(new Fault("nobody reads the informer any more"));
  }

  /** Stops the reflector. Pending calls of `waitForSync` reject with the reason. */
  #end(because: unknown): void {
    this.#stop?.abort(because);
    this.#stop = undefined;
    this.#synced.reject(because);
    this.#synced = Promise.withResolvers();
    this.#synced.promise.catch(() => undefined);
    this.#isSynced = false;
  }
}

/** Creates an informer: `for await (const event of newInformer(cluster, kind))`. */
export function newInformer(cluster: Cluster, target: KindOrResource, options: InformerOptions = {}): Informer {
  return new Informer(cluster, target, options);
}
