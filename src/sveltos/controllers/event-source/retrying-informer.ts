import { runInformer, type Informer, type InformerEvent, type Cluster, type Selection, type Lister } from "../../../kube/index.ts";
import type { GroupVersionKind } from "../../../core/object/index.ts";

const emptyStore: Lister = { size: 0, find: () => undefined, all: () => [] };

/**
 * A copy of a managed cluster's objects that outlives whatever the cluster answers: one that refuses a request as no API
 * server should is asked again later, and costs nobody else anything.
 */
export class RetryingInformer {
  readonly #heard: (change: InformerEvent) => void;
  #store: Lister = emptyStore;
  #isSynced = false;

  constructor(cluster: Cluster, kind: GroupVersionKind, selection: Selection, heard: (change: InformerEvent) => void, signal: AbortSignal) {
    this.#heard = heard;
    void runInformer(
      cluster,
      kind,
      { ...selection, signal },
      {
        read: (informer) => this.#read(informer),
        onInterrupted: (because) => this.#heard({ type: "interrupted", because }),
      },
    );
  }

  get store(): Lister {
    return this.#store;
  }

  /** The store has been complete. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  async #read(informer: Informer): Promise<void> {
    for await (const change of informer) {
      if (change.type === "synced") {
        this.#store = informer.lister;
        this.#isSynced = true;
      }
      this.#heard(change);
    }
  }
}
