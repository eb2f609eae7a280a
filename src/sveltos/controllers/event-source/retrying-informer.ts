import { sleep } from "../../../core/clock/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { newInformer, type InformerEvent, type Cluster, type Selection, type Lister } from "../../../kube/index.ts";
import type { GroupVersionKind } from "../../../core/object/index.ts";
import { backoffMs } from "../../../reconcile/index.ts";

const emptyLister: Lister = { size: 0, find: () => undefined, all: () => [] };

/**
 * An informer on a managed cluster that starts again after every error, with backoff. A cluster that answers as no API
 * server should must not fail the controller.
 */
export class RetryingInformer {
  readonly #cluster: Cluster;
  readonly #kind: GroupVersionKind;
  readonly #selection: Selection;
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
    this.#cluster = cluster;
    this.#kind = kind;
    this.#selection = selection;
    this.#handler = handler;
    void this.#run(signal);
  }

  get store(): Lister {
    return this.#store;
  }

  /** The first list is complete. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  async #run(signal: AbortSignal): Promise<void> {
    for (let failures = 1; !signal.aborted; failures++) {
      try {
        await this.#inform(signal);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof Fault)) throw error;
        this.#handler({ type: "interrupted", because: error });
      }
      await sleep(this.#cluster.clock, backoffMs(failures, this.#cluster.random), signal).catch(() => undefined); // aborted: the loop ends
    }
  }

  async #inform(signal: AbortSignal): Promise<void> {
    const informer = newInformer(this.#cluster, this.#kind, { ...this.#selection, signal });
    for await (const change of informer) {
      if (change.type === "synced") {
        this.#store = informer.lister;
        this.#isSynced = true;
      }
      this.#handler(change);
    }
  }
}
