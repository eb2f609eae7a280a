import { sleep } from "../../../core/clock/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { newInformer, type InformerEvent, type Cluster, type Selection, type Lister } from "../../../kube/index.ts";
import type { GroupVersionKind } from "../../../core/object/index.ts";
import { backoffMs } from "../../../reconcile/index.ts";

const emptyStore: Lister = { size: 0, find: () => undefined, all: () => [] };

/**
 * A copy of a managed cluster's objects that outlives whatever the cluster answers: one that refuses a request as no API
 * server should is asked again later, and costs nobody else anything.
 */
export class RetryingInformer {
  readonly #cluster: Cluster;
  readonly #kind: GroupVersionKind;
  readonly #selection: Selection;
  readonly #heard: (change: InformerEvent) => void;
  #store: Lister = emptyStore;
  #isSynced = false;

  constructor(cluster: Cluster, kind: GroupVersionKind, selection: Selection, heard: (change: InformerEvent) => void, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#kind = kind;
    this.#selection = selection;
    this.#heard = heard;
    void this.#run(signal);
  }

  get store(): Lister {
    return this.#store;
  }

  /** The store has been complete. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  async #run(signal: AbortSignal): Promise<void> {
    for (let failures = 1; !signal.aborted; failures++) {
      try {
        await this.#follow(signal);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof Fault)) throw error;
        this.#heard({ type: "interrupted", because: error });
      }
      await sleep(this.#cluster.clock, backoffMs(failures, this.#cluster.random), signal).catch(() => undefined); // aborted: the loop ends
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const informer = newInformer(this.#cluster, this.#kind, { ...this.#selection, signal });
    for await (const change of informer) {
      if (change.type === "synced") {
        this.#store = informer.lister;
        this.#isSynced = true;
      }
      this.#heard(change);
    }
  }
}
