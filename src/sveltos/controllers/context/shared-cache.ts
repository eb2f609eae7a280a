import { Informer, type Cluster, type Index, type IndexFunc } from "../../../kube/index.ts";
import { refOf, type GroupVersionKind, type KubeObject } from "../../../core/object/index.ts";

/**
 * Copies of the management cluster's objects, one for each kind, shared by all who read them and kept up by watches.
 *
 * They are without managedFields, which nobody here reads and which are half of what there is to keep.
 * A copy lags behind what was written. Whoever writes and must not decide again on what was there before waits for
 * `caughtUp` or `gone`.
 */
export class SharedCache {
  readonly #cluster: Cluster;
  readonly #signal: AbortSignal;
  readonly #informers: Map<string, Informer>;
  readonly #awaited: Set<string>;
  /** For how long what is indexed here is kept up; undefined: as long as the copies. */
  readonly #term: AbortSignal | undefined;

  constructor(cluster: Cluster, signal: AbortSignal, shared?: { readonly by: SharedCache; readonly term: AbortSignal }) {
    this.#cluster = cluster;
    this.#signal = signal;
    this.#informers = shared === undefined ? new Map() : shared.by.#informers;
    this.#awaited = shared === undefined ? new Set() : shared.by.#awaited;
    this.#term = shared?.term;
  }

  /** The same copies for somebody who works for a term: indexes that are made here end with it. */
  scopedTo(term: AbortSignal): SharedCache {
    return new SharedCache(this.#cluster, this.#signal, { by: this, term });
  }

  /** The informer of a kind; it works once somebody reads it or has waited for `ready`. */
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
    return this.informerFor(kind).addIndex(keysOf, this.#term === undefined ? {} : { signal: this.#term });
  }

  /** Resolves when the copies of these kinds are complete; they stay so from then on. */
  async waitForSync(kinds: readonly GroupVersionKind[]): Promise<void> {
    await Promise.all(
      kinds.map(async (kind) => {
        this.#awaited.add(kind.kind);
        await this.informerFor(kind).waitForSync({ signal: this.#signal });
        this.#awaited.delete(kind.kind);
      }),
    );
  }

  /** The kinds that somebody waits for, since their copies are not complete yet. */
  unsynced(): readonly string[] {
    return [...this.#awaited].toSorted();
  }

  /** Resolves when the copies have what a write has answered with. */
  async waitForWrites(written: readonly KubeObject[], signal: AbortSignal): Promise<void> {
    await Promise.all(
      written.map((object) => this.informerFor(refOf(object)).waitForResourceVersion(object.metadata.resourceVersion ?? "0", { signal })),
    );
  }

  /** Resolves when the copies no longer have these objects: only for those that nothing holds. */
  async waitForDeletes(deleted: readonly KubeObject[], signal: AbortSignal): Promise<void> {
    await Promise.all(deleted.map((object) => this.informerFor(refOf(object)).waitForDeletion(object, { signal })));
  }
}

function withoutManagedFields(object: KubeObject): KubeObject {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _fields, ...metadata } = object.metadata;
  return { ...object, metadata };
}
