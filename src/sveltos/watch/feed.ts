import { sleep } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { inform, isUnknownKind, mayPass, type Change, type Cluster, type Informer, type Selection, type Store } from "../../kube/index.ts";
import { refOf, type GroupVersionKind, type KubeObject } from "../../core/object/index.ts";
import { backoffMs } from "../../reconcile/index.ts";
import type { Evaluation } from "../evaluate/index.ts";
import { together } from "./together.ts";

/** Who wants to know of objects: an EventSource's evaluation. */
export type Reader = {
  readonly evaluation: Evaluation;
  /** Told when its findings may be others than before. */
  readonly changed: () => void;
};

/**
 * How far the objects of a kind are known. `absent`: the cluster serves no such kind, so there are none. `unreadable`:
 * nobody can say, and what was known before holds.
 */
export type FeedState = "reading" | "read" | "absent" | "unreadable";

const empty: Store = { size: 0, find: () => undefined, all: () => [] };

/** The objects of a kind, or those of them that are within a scope, told to any number of evaluations by one watch. */
export class Feed {
  readonly scope: Selection;
  readonly #cluster: Cluster;
  readonly #kind: GroupVersionKind;
  readonly #stop = new AbortController();
  readonly #settled: () => void;
  readonly #readers = new Set<Reader>();
  /** What all readers have been told of. */
  #fed: Store = empty;
  #state: FeedState = "reading";
  #trouble = "";
  #hasBeenRead = false;

  /** `settled` is called whenever its state has changed. */
  constructor(cluster: Cluster, kind: GroupVersionKind, scope: Selection, settled: () => void) {
    this.#cluster = cluster;
    this.#kind = kind;
    this.scope = scope;
    this.#settled = settled;
    void this.#run();
  }

  get state(): FeedState {
    return this.#state;
  }

  /** Every object is known, as it was once at least, or there can be none. */
  get isKnown(): boolean {
    return this.#hasBeenRead || this.#state === "absent";
  }

  /** Takes in a reader who has been told of the objects of another feed, or of none. */
  join(reader: Reader, from?: Feed): void {
    this.#readers.add(reader);
    hand(reader, from === undefined ? empty : from.#fed, this.#fed);
    this.#describe(reader);
  }

  leave(reader: Reader): void {
    this.#readers.delete(reader);
  }

  close(): void {
    this.#readers.clear();
    this.#stop.abort(new Fault("nobody looks at the kind any more"));
  }

  /** An informer ends by itself only when a request was refused as such; nobody knows whether the next one will be. */
  async #run(): Promise<void> {
    const { signal } = this.#stop;
    for (let failures = 1; !signal.aborted; failures++) {
      const informer = inform(this.#cluster, this.#kind, { ...this.scope, signal, resumptions: true });
      try {
        for await (const changes of together(informer)) this.#take(changes, informer);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof Fault)) throw error;
        this.#interrupted(error);
      }
      await sleep(this.#cluster.clock, backoffMs(failures, this.#cluster.random), signal).catch(() => undefined); // aborted: the loop ends
    }
  }

  #take(changes: readonly Change[], { store }: Informer): void {
    const concerned: Change[] = [];
    for (const change of changes) {
      if (change.type === "synced") this.#synced(store);
      else if (change.type === "interrupted") this.#interrupted(change.because);
      else if (this.#fed === store) concerned.push(change);
    }
    if (concerned.length === 0) return;
    for (const reader of this.#readers) {
      for (const change of concerned) tell(reader, change, store);
      reader.changed();
    }
  }

  #synced(store: Store): void {
    if (this.#fed !== store) for (const reader of this.#readers) hand(reader, this.#fed, store);
    this.#fed = store;
    this.#hasBeenRead = true;
    this.#become("read", "");
  }

  #interrupted(because: Fault): void {
    if (isUnknownKind(because)) {
      for (const reader of this.#readers) hand(reader, this.#fed, empty);
      this.#fed = empty;
      this.#become("absent", "");
    } else if (!this.#hasBeenRead || !mayPass(because)) {
      // A connection that breaks takes nothing of what was read; whoever looks after the cluster says so.
      this.#become("unreadable", because.message);
    }
  }

  #become(state: FeedState, trouble: string): void {
    if (state === this.#state && trouble === this.#trouble && state !== "read") return;
    this.#state = state;
    this.#trouble = trouble;
    for (const reader of this.#readers) this.#describe(reader);
    this.#settled();
    for (const reader of this.#readers) reader.changed();
  }

  #describe({ evaluation }: Reader): void {
    if (this.#state === "unreadable") evaluation.unreadable(this.#kind, this.#trouble);
    else if (this.#state !== "reading") evaluation.readable(this.#kind);
  }
}

/** The store may be ahead of what is told; as it is now is what counts. One that was made anew owes nothing to its past. */
function tell({ evaluation }: Reader, change: Change, store: Store): void {
  if (change.type === "synced" || change.type === "interrupted") return;
  const { namespace = "", name } = change.object.metadata;
  const live = store.find(namespace, name);
  if (change.type === "deleted" || live === undefined) evaluation.remove(refOf(change.object));
  if (live !== undefined) evaluation.put(live);
}

/** Takes a reader from what it knows to what there is. What is the same in both is not judged again. */
function hand({ evaluation }: Reader, from: Store, to: Store): void {
  for (const object of from.all()) if (counterpart(object, to) === undefined) evaluation.remove(refOf(object));
  for (const object of to.all()) if (!isSame(counterpart(object, from), object)) evaluation.put(object);
}

function counterpart({ metadata: { namespace = "", name } }: KubeObject, store: Store): KubeObject | undefined {
  return store.find(namespace, name);
}

function isSame(one: KubeObject | undefined, { metadata: { uid, resourceVersion } }: KubeObject): boolean {
  return one !== undefined && one.metadata.uid === uid && one.metadata.resourceVersion === resourceVersion;
}
