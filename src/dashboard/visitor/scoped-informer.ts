import { Fault } from "../../core/fault/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import {
  Informer,
  isApiFault,
  isForbidden,
  isUnauthorized,
  restart,
  type Cluster,
  type InformerEvent,
  type KindOrResource,
  type Lister,
  type Selection,
} from "../../kube/index.ts";

type ScopedInformerOptions = Selection & {
  readonly transform?: (object: KubeObject) => KubeObject;
  readonly byPage: boolean;
  readonly onChanges: (changes: readonly InformerEvent[]) => void;
  /** Called when all is known, with undefined, and when it cannot be read, with the reason. */
  readonly onState: (because: Fault | undefined) => void;
  readonly signal: AbortSignal;
};

/** A watch goes on when its right is taken away, so the right is checked this often. */
const checkMs = 60_000;

const nothing: Lister = { size: 0, find: () => undefined, all: () => [] };

/** The objects of a kind in one namespace or in all, for as long as the visitor may read them. */
export class ScopedInformer {
  readonly #cluster: Cluster;
  readonly #target: KindOrResource;
  readonly #options: ScopedInformerOptions;
  #informer: Informer | undefined;
  #state: "starting" | "synced" | Fault = "starting";

  constructor(cluster: Cluster, target: KindOrResource, options: ScopedInformerOptions) {
    this.#cluster = cluster;
    this.#target = target;
    this.#options = options;
  }

  get lister(): Lister {
    return this.#informer?.lister ?? nothing;
  }

  /** The one namespace; undefined: all of them. */
  get namespace(): string | undefined {
    return this.#options.namespace;
  }

  /** Whether nothing of it may be read. */
  get isRefused(): boolean {
    return isRefused(this.#state);
  }

  get state(): "starting" | "synced" | Fault {
    return this.#state;
  }

  /** Runs informers one after the other, until the signal aborts: one that met an error for good, or lost its right, is replaced. */
  async run(): Promise<void> {
    const { clock, random } = this.#cluster;
    const { signal } = this.#options;
    await restart({ clock, random, signal }, async () => {
      const stop = new AbortController();
      const cancel = this.#checkRights(stop);
      try {
        await this.#read(AbortSignal.any([signal, stop.signal]));
      } catch (error) {
        if (!signal.aborted) this.#setState(error instanceof Fault ? error : new Fault("follow objects", error));
      } finally {
        cancel();
        stop.abort();
        this.#hide();
      }
    });
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { onChanges: _changes, onState: _state, ...options } = this.#options;
    const informer = new Informer(this.#cluster, this.#target, { ...options, resumptions: true, signal });
    this.#informer = informer;
    for await (const event of informer) {
      if (event.type === "synced") this.#setState("synced");
      else if (event.type !== "interrupted") this.#options.onChanges([event]);
      else {
        this.#setState(event.because);
        // What was read before is no longer to be seen; another informer waits for the right to come back.
        if (isRefused(event.because) && informer.lister.size > 0) return;
      }
    }
  }

  /** What is not read any more is gone for whoever looks. */
  #hide(): void {
    const { lister } = this;
    this.#informer = undefined;
    if (this.#options.signal.aborted) return;
    const deleted = [...lister.all()].map((object): InformerEvent => ({ type: "deleted", object }));
    if (deleted.length > 0) this.#options.onChanges(deleted);
  }

  #setState(state: "synced" | Fault): void {
    this.#state = state;
    this.#options.onState(state === "synced" ? undefined : state);
  }

  /** Asks now and then for one object. A refusal ends the informer. */
  #checkRights(stop: AbortController): () => void {
    const { clock } = this.#cluster;
    let cancel: () => void;
    const schedule = () => {
      cancel = clock.after(checkMs, () => void check(), { background: true });
    };
    const check = async () => {
      const refusal = this.#state === "synced" ? await this.#readRefusal(stop.signal) : undefined;
      if (stop.signal.aborted) return;
      if (refusal === undefined) return schedule();
      this.#setState(refusal);
      stop.abort(refusal);
    };
    schedule();
    return () => cancel();
  }

  async #readRefusal(signal: AbortSignal): Promise<Fault | undefined> {
    const { namespace, labelSelector } = this.#options;
    const selection = { ...(namespace === undefined ? {} : { namespace }), ...(labelSelector === undefined ? {} : { labelSelector }) };
    try {
      const pages = this.#cluster.pages(this.#target, { ...selection, limit: 1, signal });
      const reader = pages[Symbol.asyncIterator]();
      await reader.next();
      return undefined;
    } catch (error) {
      return isRefused(error) ? error : undefined; // the informer meets other errors by itself
    }
  }
}

function isRefused(error: unknown): error is Fault {
  return isApiFault(error) && (isForbidden(error) || isUnauthorized(error));
}
