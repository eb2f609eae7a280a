import { Fault } from "../../core/fault/index.ts";
import {
  isUnknownKind,
  isTransient,
  runInformer,
  type InformerEvent,
  type Cluster,
  type Informer,
  type Selection,
  type Lister,
} from "../../kube/index.ts";
import { refOf, type GroupVersionKind, type KubeObject } from "../../core/object/index.ts";
import type { EvaluationState } from "../evaluate/index.ts";
import { inBatches } from "./in-batches.ts";

/** What evaluates an EventSource, and gets the objects of a kind. */
export type EventSourceSubscriber = {
  readonly evaluator: EvaluationState;
  /** Called after it has got something. */
  readonly onChange: () => void;
};

/**
 * Whether the objects of a kind are known. `absent`: the cluster does not serve the kind, so there are none. `unreadable`:
 * listing fails, and last matches stay.
 */
type ScopedInformerState = "listing" | "listed" | "absent" | "unreadable";

const emptyLister: Lister = { size: 0, find: () => undefined, all: () => [] };

/** Delivers the objects of a kind within a scope to any number of evaluators, from one watch. */
export class ScopedInformer {
  readonly scope: Selection;
  readonly #kind: GroupVersionKind;
  readonly #stop = new AbortController();
  readonly #onStateChange: () => void;
  readonly #subscribers = new Set<EventSourceSubscriber>();
  /** The objects that all subscribers have got. */
  #delivered: Lister = emptyLister;
  #state: ScopedInformerState = "listing";
  #reason = "";
  #hasListed = false;

  /** Calls `onStateChange` after every change of state. */
  constructor(cluster: Cluster, kind: GroupVersionKind, scope: Selection, onStateChange: () => void) {
    this.#kind = kind;
    this.scope = scope;
    this.#onStateChange = onStateChange;
    void runInformer(
      cluster,
      kind,
      { ...scope, signal: this.#stop.signal, resumptions: true },
      {
        read: (informer) => this.#read(informer),
        onInterrupted: (because) => this.#interrupted(because),
      },
    );
  }

  get state(): ScopedInformerState {
    return this.#state;
  }

  /** Every object has been listed at least once, or the kind is not served. */
  get hasSynced(): boolean {
    return this.#hasListed || this.#state === "absent";
  }

  /** Adds a subscriber, which has got the objects of another informer (`from`) or none. */
  subscribe(subscriber: EventSourceSubscriber, from?: ScopedInformer): void {
    this.#subscribers.add(subscriber);
    deliverDifference(subscriber, from === undefined ? emptyLister : from.#delivered, this.#delivered);
    this.#markReadability(subscriber);
  }

  unsubscribe(subscriber: EventSourceSubscriber): void {
    this.#subscribers.delete(subscriber);
  }

  close(): void {
    this.#subscribers.clear();
    this.#stop.abort(new Fault("the kind has no subscriber any more"));
  }

  async #read(informer: Informer): Promise<void> {
    for await (const changes of inBatches(informer)) this.#deliver(changes, informer);
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
      subscriber.onChange();
    }
  }

  #synced(store: Lister): void {
    if (this.#delivered !== store) for (const subscriber of this.#subscribers) deliverDifference(subscriber, this.#delivered, store);
    this.#delivered = store;
    this.#hasListed = true;
    this.#setState("listed", "");
  }

  #interrupted(because: Fault): void {
    if (isUnknownKind(because)) {
      for (const subscriber of this.#subscribers) deliverDifference(subscriber, this.#delivered, emptyLister);
      this.#delivered = emptyLister;
      this.#setState("absent", "");
    } else if (!this.#hasListed || !isTransient(because)) {
      // A broken connection does not make listed objects unreadable; the fleet reports it.
      this.#setState("unreadable", because.message);
    }
  }

  #setState(state: ScopedInformerState, reason: string): void {
    if (state === this.#state && reason === this.#reason && state !== "listed") return;
    this.#state = state;
    this.#reason = reason;
    for (const subscriber of this.#subscribers) this.#markReadability(subscriber);
    this.#onStateChange();
    for (const subscriber of this.#subscribers) subscriber.onChange();
  }

  #markReadability({ evaluator }: EventSourceSubscriber): void {
    if (this.#state === "unreadable") evaluator.markUnreadable(this.#kind, this.#reason);
    else if (this.#state === "absent") evaluator.markNotServed(this.#kind);
    else if (this.#state !== "listing") evaluator.markReadable(this.#kind);
  }
}

/** Delivers the object as the store has it now, which may be newer than the change. A deleted object may exist again. */
function deliverChange({ evaluator }: EventSourceSubscriber, change: InformerEvent, store: Lister): void {
  if (change.type === "synced" || change.type === "interrupted") return;
  const { namespace = "", name } = change.object.metadata;
  const live = store.find(namespace, name);
  if (change.type === "deleted" || live === undefined) evaluator.remove(refOf(change.object));
  if (live !== undefined) evaluator.put(live);
}

/** Delivers the difference between two stores. Objects that are in both are not evaluated again. */
function deliverDifference({ evaluator }: EventSourceSubscriber, from: Lister, to: Lister): void {
  for (const object of from.all()) if (counterpart(object, to) === undefined) evaluator.remove(refOf(object));
  for (const object of to.all()) if (!isSame(counterpart(object, from), object)) evaluator.put(object);
}

function counterpart({ metadata: { namespace = "", name } }: KubeObject, store: Lister): KubeObject | undefined {
  return store.find(namespace, name);
}

function isSame(one: KubeObject | undefined, { metadata: { uid, resourceVersion } }: KubeObject): boolean {
  return one !== undefined && one.metadata.uid === uid && one.metadata.resourceVersion === resourceVersion;
}
