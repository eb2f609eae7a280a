import { runInformer, type Informer, type InformerEvent, type Cluster, type Selection, type Lister } from "../../../kube/index.ts";
import type { GroupVersionKind } from "../../../core/object/index.ts";

const emptyLister: Lister = { size: 0, find: () => undefined, all: () => [] };

/**
 * An informer on a managed cluster that starts again after every error, with backoff. A cluster that answers as no API
 * server should must not fail the controller.
 */
export class RetryingInformer {
  readonly #handler: (change: InformerEvent) => void;
  #store: Lister = emptyLister;
  #isSynced = false;

  constructor(
    cluster: Cluster,
    kind: GroupVersionKind,
    selection: Selection,
    handler: (change: InformerEvent) => void,
    signal: AbortSignal,
  ) {
    this.#handler = handler;
    void runInformer(
      cluster,
      kind,
      { ...selection, signal },
      {
        read: (informer) => this.#inform(informer),
        onInterrupted: (because) => this.#handler({ type: "interrupted", because }),
      },
    );
  }

  get store(): Lister {
    return this.#store;
  }

  /** The first list is complete. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  async #inform(informer: Informer): Promise<void> {
    for await (const change of informer) {
      if (change.type === "synced") {
        this.#store = informer.lister;
        this.#isSynced = true;
      }
      this.#handler(change);
    }
  }
}
