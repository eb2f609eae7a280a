import { Informer, type Cluster, type Index, type KeysOf } from "../../../kube/index.ts";
import { refOf, type GroupVersionKind, type KubeObject } from "../../../core/object/index.ts";

/**
 * Copies of the management cluster's objects, one for each kind, shared by all who read them and kept up by watches.
 *
 * They are without managedFields, which nobody here reads and which are half of what there is to keep.
 * A copy lags behind what was written. Whoever writes and must not decide again on what was there before waits for
 * `caughtUp` or `gone`.
 */
export class Copies {
  readonly #cluster: Cluster;
  readonly #signal: AbortSignal;
  readonly #informers: Map<string, Informer>;
  readonly #awaited: Set<string>;
  /** For how long what is indexed here is kept up; undefined: as long as the copies. */
  readonly #term: AbortSignal | undefined;

  constructor(cluster: Cluster, signal: AbortSignal, shared?: { readonly by: Copies; readonly term: AbortSignal }) {
    this.#cluster = cluster;
    this.#signal = signal;
    this.#informers = shared === undefined ? new Map() : shared.by.#informers;
    this.#awaited = shared === undefined ? new Set() : shared.by.#awaited;
    this.#term = shared?.term;
  }

  /** The same copies for somebody who works for a term: indexes that are made here end with it. */
  during(term: AbortSignal): Copies {
    return new Copies(this.#cluster, this.#signal, { by: this, term });
  }

  /** The informer of a kind; it works once somebody reads it or has waited for `ready`. */
  of({ group, version, kind }: GroupVersionKind): Informer {
    const key = `${group}/${version}/${kind}`;
    let informer = this.#informers.get(key);
    if (informer === undefined) {
      informer = new Informer(this.#cluster, { group, version, kind }, { signal: this.#signal, keep: withoutManagedFields });
      this.#informers.set(key, informer);
    }
    return informer;
  }

  find(kind: GroupVersionKind, namespace: string, name: string): KubeObject | undefined {
    return this.of(kind).store.find(namespace, name);
  }

  all(kind: GroupVersionKind): Iterable<KubeObject> {
    return this.of(kind).store.all();
  }

  index(kind: GroupVersionKind, keysOf: KeysOf): Index {
    return this.of(kind).index(keysOf, this.#term === undefined ? {} : { signal: this.#term });
  }

  /** Resolves when the copies of these kinds are complete; they stay so from then on. */
  async ready(kinds: readonly GroupVersionKind[]): Promise<void> {
    await Promise.all(
      kinds.map(async (kind) => {
        this.#awaited.add(kind.kind);
        await this.of(kind).ready({ signal: this.#signal });
        this.#awaited.delete(kind.kind);
      }),
    );
  }

  /** The kinds that somebody waits for, since their copies are not complete yet. */
  incomplete(): readonly string[] {
    return [...this.#awaited].toSorted();
  }

  /** Resolves when the copies have what a write has answered with. */
  async caughtUp(written: readonly KubeObject[], signal: AbortSignal): Promise<void> {
    await Promise.all(written.map((object) => this.of(refOf(object)).reached(object.metadata.resourceVersion ?? "0", { signal })));
  }

  /** Resolves when the copies no longer have these objects: only for those that nothing holds. */
  async gone(deleted: readonly KubeObject[], signal: AbortSignal): Promise<void> {
    await Promise.all(deleted.map((object) => this.of(refOf(object)).dropped(object, { signal })));
  }
}

function withoutManagedFields(object: KubeObject): KubeObject {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _fields, ...metadata } = object.metadata;
  return { ...object, metadata };
}
