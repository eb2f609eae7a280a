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
    /** Readers are told `synced` again when, after `interrupted`, all there is has been told and news flow. Default false. */
    readonly resumptions?: boolean;
    /** What is kept of each object, and told to readers. Default: all. */
    readonly transform?: (object: KubeObject) => KubeObject;
  };

/**
 * A faithful copy of the objects of a kind, and the news about it for any number of readers.
 *
 * Each reader first gets everything that is there as `added`, then `synced`, then every change in order. It works
 * while somebody reads, or from `ready()` on, until the signal aborts or `close` is called; then readers come to their end.
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
  /** Readers were told of trouble, and not yet that it is over. */
  #isInterrupted = false;
  readonly #resumptions: boolean;
  #held = false;
  readonly #abort = () => this.close();

  constructor(cluster: Cluster, target: KindOrResource, options: InformerOptions = {}) {
    const { signal, resumptions = false, transform, ...selection } = options;
    this.#store = new ObjectStore(transform);
    this.#resumptions = resumptions;
    const { group, version, kind } = target;
    this.#signal = signal;
    this.#reflector = new Reflector(cluster, { group, version, kind }, selection, this.#store, (changes) => this.#publish(changes));
    this.#synced.promise.catch(() => undefined); // whoever waits for it is told; nobody has to
    signal?.addEventListener("abort", this.#abort, { once: true });
  }

  /** What is there, as far as it is known; complete from `synced` on. */
  get lister(): Lister {
    return this.#store;
  }

  /** The resourceVersion up to which the store is complete: news of what came later will follow. Undefined when it is not known. */
  get lastSyncResourceVersion(): string | undefined {
    return this.#reflector.lastSyncResourceVersion;
  }

  /** The store's objects by other keys than their names, in step with it until the signal aborts. */
  addIndex(keysOf: IndexFunc, { signal }: Abortable = {}): Index {
    const index = new ObjectIndex(keysOf);
    if (signal?.aborted === true) return index;
    for (const object of this.#store.all()) index.update({ type: "added", object });
    this.#indexes.add(index);
    signal?.addEventListener("abort", () => this.#indexes.delete(index), { once: true });
    return index;
  }

  /** Resolves as soon as the store has taken in what was written at this resourceVersion, or something later. */
  async waitForResourceVersion(resourceVersion: string, { signal }: Abortable = {}): Promise<void> {
    await this.#until(
      () => this.lastSyncResourceVersion !== undefined && !isOlderResourceVersion(this.lastSyncResourceVersion, resourceVersion),
      signal,
    );
  }

  /** Resolves as soon as the store no longer has the object with this uid. */
  async waitForDeletion({ metadata: { namespace = "", name, uid } }: KubeObject, { signal }: Abortable = {}): Promise<void> {
    await this.#until(() => this.#isSynced && this.#store.find(namespace, name)?.metadata.uid !== uid, signal);
  }

  [Symbol.asyncIterator](): AsyncIterator<InformerEvent> {
    const reader: Subscription<InformerEvent> = new Subscription(() => this.#leave(reader));
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

  /** Resolves when the store is complete, and keeps it so from then on, readers or not. */
  async waitForSync({ signal }: Abortable = {}): Promise<Lister> {
    this.#signal?.throwIfAborted();
    this.#held = true;
    this.#start();
    await orAborted(this.#synced.promise, signal);
    return this.#store;
  }

  close(): void {
    this.#signal?.removeEventListener("abort", this.#abort);
    this.#held = false;
    this.#end(this.#signal?.aborted ? this.#signal.reason : new Fault("the informer was closed"));
    for (const reader of this.#readers) reader.end();
    this.#readers.clear();
  }

  async #until(holds: () => boolean, signal: AbortSignal | undefined): Promise<void> {
    if (holds()) return;
    const held = Promise.withResolvers<void>();
    const look = () => {
      if (holds()) held.resolve();
    };
    this.#waiting.add(look);
    try {
      await orAborted(held.promise, signal);
    } finally {
      this.#waiting.delete(look);
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
    for (const look of this.#waiting) look();
    // Readers are told once that the beginning is over, however often it has to be listed again.
    const told = again && !(this.#resumptions && this.#isInterrupted) ? changes.slice(0, -1) : changes;
    if (last?.type === "synced") this.#isInterrupted = false;
    if (last?.type === "interrupted") this.#isInterrupted = true;
    for (const reader of this.#readers) reader.push(told);
  }

  #fail(error: unknown): void {
    this.#end(error);
    for (const reader of this.#readers) reader.end(error);
    this.#readers.clear();
  }

  #leave(reader: Subscription<InformerEvent>): void {
    this.#readers.delete(reader);
    if (this.#readers.size === 0 && !this.#held) this.#end(new Fault("nobody reads the informer any more"));
  }

  /** Stops the work. Whoever still waits for it to be complete is told why it will not be. */
  #end(because: unknown): void {
    this.#stop?.abort(because);
    this.#stop = undefined;
    this.#synced.reject(because);
    this.#synced = Promise.withResolvers();
    this.#synced.promise.catch(() => undefined);
    this.#isSynced = false;
  }
}

/** Tells of the objects of a kind for as long as somebody reads: `for await (const change of inform(cluster, kind))`. */
export function newInformer(cluster: Cluster, target: KindOrResource, options: InformerOptions = {}): Informer {
  return new Informer(cluster, target, options);
}
