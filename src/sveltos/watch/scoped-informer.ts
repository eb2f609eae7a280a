import { sleep } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import {
  newInformer,
  isUnknownKind,
  isTransient,
  type InformerEvent,
  type Cluster,
  type Informer,
  type Selection,
  type Lister,
} from "../../kube/index.ts";
import { refOf, type GroupVersionKind, type KubeObject } from "../../core/object/index.ts";
import { backoffMs } from "../../reconcile/index.ts";
import type { EventSourceEvaluator } from "../evaluate/index.ts";
import { inBatches } from "./in-batches.ts";

/** Who wants to know of objects: an EventSource's evaluation. */
export type EventSourceSubscriber = {
  readonly evaluation: EventSourceEvaluator;
  /** Told when its findings may be others than before. */
  readonly changed: () => void;
};

/**
 * How far the objects of a kind are known. `absent`: the cluster serves no such kind, so there are none. `unreadable`:
 * nobody can say, and what was known before holds.
 */
export type ScopedInformerState = "reading" | "read" | "absent" | "unreadable";

const emptyStore: Lister = { size: 0, find: () => undefined, all: () => [] };

/** The objects of a kind, or those of them that are within a scope, told to any number of evaluations by one watch. */
export class ScopedInformer {
  readonly scope: Selection;
  readonly #cluster: Cluster;
  readonly #kind: GroupVersionKind;
  readonly #stop = new AbortController();
  readonly #onStateChange: () => void;
  readonly #subscribers = new Set<EventSourceSubscriber>();
  /** What all readers have been told of. */
  #delivered: Lister = emptyStore;
  #state: ScopedInformerState = "reading";
  #reason = "";
  #hasListed = false;

  /** `settled` is called whenever its state has changed. */
  constructor(cluster: Cluster, kind: GroupVersionKind, scope: Selection, settled: () => void) {
    this.#cluster = cluster;
    this.#kind = kind;
    this.scope = scope;
    this.#onStateChange = settled;
    void this.#run();
  }

  get state(): ScopedInformerState {
    return this.#state;
  }

  /** Every object is known, as it was once at least, or there can be none. */
  get hasSynced(): boolean {
    return this.#hasListed || this.#state === "absent";
  }

  /** Takes in a reader who has been told of the objects of another feed, or of none. */
  subscribe(subscriber: EventSourceSubscriber, from?: ScopedInformer): void {
    this.#subscribers.add(subscriber);
    deliverDifference(subscriber, from === undefined ? emptyStore : from.#delivered, this.#delivered);
    this.#markReadability(subscriber);
  }

  unsubscribe(subscriber: EventSourceSubscriber): void {
    this.#subscribers.delete(subscriber);
  }

  close(): void {
    this.#subscribers.clear();
    this.#stop.abort(new Fault("nobody looks at the kind any more"));
  }

  /** An informer ends by itself only when a request was refused as such; nobody knows whether the next one will be. */
  async #run(): Promise<void> {
    const { signal } = this.#stop;
    for (let failures = 1; !signal.aborted; failures++) {
      const informer = newInformer(this.#cluster, this.#kind, { ...this.scope, signal, resumptions: true });
      try {
        for await (const changes of inBatches(informer)) this.#deliver(changes, informer);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof Fault)) throw error;
        this.#interrupted(error);
      }
      await sleep(this.#cluster.clock, backoffMs(failures, this.#cluster.random), signal).catch(() => undefined); // aborted: the loop ends
    }
  }

  #deliver(changes: readonly InformerEvent[], { lister }: Informer): void {
    const delivered: InformerEvent[] = [];
    for (const change of changes) {
      if (change.type === "synced") this.#synced(lister);
      else if (change.type === "interrupted") this.#interrupted(change.because);
      else if (this.#delivered === lister) delivered.push(change);
    }
    if (delivered.length === 0) return;
    for (const subscriber of this.#subscribers) {
      for (const change of delivered) deliverChange(subscriber, change, lister);
      subscriber.changed();
    }
  }

  #synced(store: Lister): void {
    if (this.#delivered !== store) for (const subscriber of this.#subscribers) deliverDifference(subscriber, this.#delivered, store);
    this.#delivered = store;
    this.#hasListed = true;
    this.#setState("read", "");
  }

  #interrupted(because: Fault): void {
    if (isUnknownKind(because)) {
      for (const subscriber of this.#subscribers) deliverDifference(subscriber, this.#delivered, emptyStore);
      this.#delivered = emptyStore;
      this.#setState("absent", "");
    } else if (!this.#hasListed || !isTransient(because)) {
      // A connection that breaks takes nothing of what was read; whoever looks after the cluster says so.
      this.#setState("unreadable", because.message);
    }
  }

  #setState(state: ScopedInformerState, trouble: string): void {
    if (state === this.#state && trouble === this.#reason && state !== "read") return;
    this.#state = state;
    this.#reason = trouble;
    for (const subscriber of this.#subscribers) this.#markReadability(subscriber);
    this.#onStateChange();
    for (const subscriber of this.#subscribers) subscriber.changed();
  }

  #markReadability({ evaluation: evaluator }: EventSourceSubscriber): void {
    if (this.#state === "unreadable") evaluator.markUnreadable(this.#kind, this.#reason);
    else if (this.#state !== "reading") evaluator.markReadable(this.#kind);
  }
}

/** The store may be ahead of what is told; as it is now is what counts. One that was made anew owes nothing to its past. */
function deliverChange({ evaluation: evaluator }: EventSourceSubscriber, change: InformerEvent, store: Lister): void {
  if (change.type === "synced" || change.type === "interrupted") return;
  const { namespace = "", name } = change.object.metadata;
  const live = store.find(namespace, name);
  if (change.type === "deleted" || live === undefined) evaluator.remove(refOf(change.object));
  if (live !== undefined) evaluator.put(live);
}

/** Takes a reader from what it knows to what there is. What is the same in both is not judged again. */
function deliverDifference({ evaluation: evaluator }: EventSourceSubscriber, from: Lister, to: Lister): void {
  for (const object of from.all()) if (counterpart(object, to) === undefined) evaluator.remove(refOf(object));
  for (const object of to.all()) if (!isSame(counterpart(object, from), object)) evaluator.put(object);
}

function counterpart({ metadata: { namespace = "", name } }: KubeObject, store: Lister): KubeObject | undefined {
  return store.find(namespace, name);
}

function isSame(one: KubeObject | undefined, { metadata: { uid, resourceVersion } }: KubeObject): boolean {
  return one !== undefined && one.metadata.uid === uid && one.metadata.resourceVersion === resourceVersion;
}
