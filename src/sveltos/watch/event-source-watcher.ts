import type { EventSource, ResourceSelector } from "../api/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { apiVersionOf, equal, type GroupVersionKind } from "../../core/object/index.ts";
import { EventSourceEvaluator, type EvaluationResult, type Match } from "../evaluate/index.ts";
import type { EventSourceSubscriber } from "./scoped-informer.ts";
import { KindInformer } from "./kind-informer.ts";

export type EventSourceWatcherOptions = {
  /** Called with the name of an EventSource whose findings may be others than before; what changes together is told once. */
  readonly onChange: (eventSource: string) => void;
};

/** How things stand with an EventSource. */
export type Observation = {
  readonly result: EvaluationResult;
  /** Every kind that it looks at has been read, or is not served. Where not, what is not found may well be there. */
  readonly isComplete: boolean;
  /** How many objects were judged for it by this look. */
  readonly evaluated: number;
  /** Objects that are left for the next time, because the script takes too long. Nobody is told when that is. */
  readonly pending: number;
};

/** An EventSource that is followed. */
type WatchedSource = {
  readonly source: EventSource;
  readonly subscriber: EventSourceSubscriber;
  readonly kinds: ReadonlyMap<string, readonly ResourceSelector[]>;
};

/** Looks at one cluster for EventSources, by one watch for each kind of objects, until the signal aborts. */
export class EventSourceWatcher {
  readonly #cluster: Cluster;
  readonly #onChange: (eventSource: string) => void;
  readonly #signal: AbortSignal;
  readonly #watched = new Map<string, WatchedSource>();
  readonly #informers = new Map<string, KindInformer>();
  #evaluatedBefore = 0;

  constructor(cluster: Cluster, { onChange }: EventSourceWatcherOptions, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#onChange = onChange;
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#close(), { once: true });
  }

  /** How many objects have been judged so far, by all EventSources. */
  get evaluated(): number {
    return [...this.#watched.values()].reduce((sum, { subscriber }) => sum + subscriber.evaluation.evaluated, this.#evaluatedBefore);
  }

  /**
   * Follows these EventSources from now on, and no others. One that is followed already and says the same goes on; one
   * that says something else begins anew with what matched until now. `lastOf` is what matched a new one when somebody
   * looked last.
   */
  watch(sources: readonly EventSource[], lastOf: (eventSource: string) => readonly Match[]): void {
    if (this.#signal.aborted) return;
    const wanted = new Map(sources.map((source) => [source.metadata.name, source]));
    for (const [name, { subscriber }] of this.#watched) {
      if (wanted.has(name)) continue;
      this.#evaluatedBefore += subscriber.evaluation.evaluated;
      this.#watched.delete(name);
    }
    for (const [name, source] of wanted) this.#start(name, source, lastOf);
    this.#subscribe();
    for (const name of wanted.keys()) this.#notify(name);
  }

  /** Judges what has changed. Undefined for what is not followed, and until there has been an answer for every kind. */
  evaluate(eventSource: string): Observation | undefined {
    const watched = this.#watched.get(eventSource);
    if (watched === undefined || !this.#isSettled(watched)) return undefined;
    const { subscriber, kinds } = watched;
    const before = subscriber.evaluation.evaluated;
    const result = subscriber.evaluation.evaluate();
    const isComplete = [...kinds.keys()].every((kind) => this.#informers.get(kind)?.hasSynced(subscriber));
    return { result, isComplete, evaluated: subscriber.evaluation.evaluated - before, pending: subscriber.evaluation.pendingCount };
  }

  #start(name: string, source: EventSource, lastOf: (eventSource: string) => readonly Match[]): void {
    const before = this.#watched.get(name);
    if (before !== undefined && evaluatesSame(before.source, source)) return;
    const last = before === undefined ? lastOf(name) : (this.evaluate(name)?.result.matches ?? lastOf(name));
    this.#evaluatedBefore += before?.subscriber.evaluation.evaluated ?? 0;
    const { clock, random } = this.#cluster;
    const environment = { now: () => Math.floor(clock.now() / 1000), random };
    const subscriber = { evaluation: new EventSourceEvaluator(source, { last, environment }), changed: () => this.#notify(name) };
    this.#watched.set(name, { source, subscriber, kinds: Map.groupBy(source.selectors, kindKey) });
  }

  #subscribe(): void {
    const subscriptions = new Map<
      string,
      { readonly kind: GroupVersionKind; readonly readers: Map<EventSourceSubscriber, readonly ResourceSelector[]> }
    >();
    for (const { subscriber, kinds } of this.#watched.values()) {
      for (const [key, selectors] of kinds) {
        const { group, version, kind } = selectors[0]!;
        if (!subscriptions.has(key)) subscriptions.set(key, { kind: { group, version, kind }, readers: new Map() });
        subscriptions.get(key)?.readers.set(subscriber, selectors);
      }
    }
    for (const [key, watch] of this.#informers) {
      if (subscriptions.has(key)) continue;
      watch.close();
      this.#informers.delete(key);
    }
    for (const [key, { kind, readers: subscribers }] of subscriptions) this.#informerFor(key, kind).setSubscriptions(subscribers);
  }

  #informerFor(key: string, kind: GroupVersionKind): KindInformer {
    let watch = this.#informers.get(key);
    if (watch === undefined) this.#informers.set(key, (watch = new KindInformer(this.#cluster, kind)));
    return watch;
  }

  #notify(name: string): void {
    const watched = this.#watched.get(name);
    if (watched !== undefined && !this.#signal.aborted && this.#isSettled(watched)) this.#onChange(name);
  }

  #isSettled({ subscriber, kinds }: WatchedSource): boolean {
    return [...kinds.keys()].every((kind) => this.#informers.get(kind)?.isSettled(subscriber));
  }

  #close(): void {
    for (const watch of this.#informers.values()) watch.close();
    this.#informers.clear();
    this.#watched.clear();
  }
}

function kindKey(kind: GroupVersionKind): string {
  return `${apiVersionOf(kind)}/${kind.kind}`;
}

/** Whether findings are the same by both; whether they are collected is for those who report them. */
function evaluatesSame(one: EventSource, other: EventSource): boolean {
  return one.aggregatedSelection === other.aggregatedSelection && equal(one.selectors, other.selectors);
}
