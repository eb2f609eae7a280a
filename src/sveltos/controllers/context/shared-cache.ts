import { Informer, type Cluster, type Index, type IndexFunc } from "../../../kube/index.ts";
import { refOf, type GroupVersionKind, type KubeObject } from "../../../core/object/index.ts";

/**
 * Informers of the management cluster, one for each kind, shared by all controllers.
 *
 * Objects are stored without managedFields, which no controller reads and which are half of their size. The cache lags
 * behind writes: a controller that must not decide on the old state waits with `waitForWrites` or `waitForDeletes`.
 */
export class SharedCache {
  readonly #cluster: Cluster;
  readonly #signal: AbortSignal;
  readonly #informers: Map<string, Informer>;
  readonly #syncing: Set<string>;
  /** Indexes that are created here end with it; undefined: with the informers. */
  readonly #scope: AbortSignal | undefined;

  constructor(cluster: Cluster, signal: AbortSignal, shared?: { readonly cache: SharedCache; readonly scope: AbortSignal }) {
    this.#cluster = cluster;
    this.#signal = signal;
    this.#informers = shared === undefined ? new Map() : shared.cache.#informers;
    this.#syncing = shared === undefined ? new Set() : shared.cache.#syncing;
    this.#scope = shared?.scope;
  }

  /** The same informers, with indexes that end when `scope` aborts: for a controller that runs while its replica leads. */
  scopedTo(scope: AbortSignal): SharedCache {
    return new SharedCache(this.#cluster, this.#signal, { cache: this, scope });
  }

  /** The informer of a kind. It starts when it is first read or waited for. */
  informerFor({ group, version, kind }: GroupVersionKind): Informer {
    const key = `${group}/${version}/${kind}`;
    let informer = this.#informers.get(key);
    if (informer === undefined) {
      informer = new Informer(this.#cluster, { group, version, kind }, { signal: this.#signal, transform: withoutManagedFields });
      this.#informers.set(key, informer);
    }
    return informer;
  }

  find(kind: GroupVersionKind, namespace: string, name: string): KubeObject | undefined {
    return this.informerFor(kind).lister.find(namespace, name);
  }

  all(kind: GroupVersionKind): Iterable<KubeObject> {
    return this.informerFor(kind).lister.all();
  }

  index(kind: GroupVersionKind, keysOf: IndexFunc): Index {
    return this.informerFor(kind).addIndex(keysOf, this.#scope === undefined ? {} : { signal: this.#scope });
  }

  /** Resolves when the informers of these kinds have listed all objects. */
  async waitForSync(kinds: readonly GroupVersionKind[]): Promise<void> {
    await Promise.all(
      kinds.map(async (kind) => {
        this.#syncing.add(kind.kind);
        await this.informerFor(kind).waitForSync({ signal: this.#signal });
        this.#syncing.delete(kind.kind);
      }),
    );
  }

  /** The kinds that `waitForSync` waits for. */
  unsynced(): readonly string[] {
    return [...this.#syncing].toSorted();
  }

  /** Resolves when the cache has the results of these writes. */
  async waitForWrites(written: readonly KubeObject[], signal: AbortSignal): Promise<void> {
    await Promise.all(
      written.map((object) => this.informerFor(refOf(object)).waitForResourceVersion(object.metadata.resourceVersion ?? "0", { signal })),
    );
  }

  /** Resolves when the cache no longer has these objects. They must have no finalizers. */
  async waitForDeletes(deleted: readonly KubeObject[], signal: AbortSignal): Promise<void> {
    await Promise.all(deleted.map((object) => this.informerFor(refOf(object)).waitForDeletion(object, { signal })));
  }
}

function withoutManagedFields(object: KubeObject): KubeObject {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _fields, ...metadata } = object.metadata;
  return { ...object, metadata };
}
