import type { EventSource, ResourceSelector } from "../api/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { apiVersionOf, equal, type GroupVersionKind } from "../../core/object/index.ts";
import { EventSourceEvaluator, type EvaluationResult, type Match } from "../evaluate/index.ts";
import type { EventSourceSubscriber } from "./scoped-informer.ts";
import { KindInformer } from "./kind-informer.ts";

type EventSourceWatcherOptions = {
  /** Called with the name of an EventSource whose result may have changed, once for changes that arrive together. */
  readonly onChange: (eventSource: string) => void;
};

/** The current result of an EventSource. */
export type Observation = {
  readonly result: EvaluationResult;
  /** Every kind of its selectors has been listed or is not served. If false, matching objects may be missing. */
  readonly isComplete: boolean;
  /** How many objects this call has evaluated. */
  readonly evaluated: number;
  /** Objects left for the next call because the script takes too long. `onChange` is not called for them. */
  readonly pending: number;
};

type WatchedSource = {
  readonly source: EventSource;
  readonly subscriber: EventSourceSubscriber;
  readonly kinds: ReadonlyMap<string, readonly ResourceSelector[]>;
};

/** Watches one cluster for a set of EventSources, with one informer for each kind, until the signal aborts. */
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

  /** How many objects have been evaluated so far, over all EventSources. */
  get evaluated(): number {
    return [...this.#watched.values()].reduce((sum, { subscriber }) => sum + subscriber.evaluator.evaluated, this.#evaluatedBefore);
  }

  /**
   * Watches these EventSources from now on, and no others. One whose spec has changed starts again with its current
   * matches. `lastOf` gives the last reported matches of a new one.
   */
  watch(sources: readonly EventSource[], lastOf: (eventSource: string) => readonly Match[]): void {
    if (this.#signal.aborted) return;
    const byName = new Map(sources.map((source) => [source.metadata.name, source]));
    for (const [name, { subscriber }] of this.#watched) {
      if (byName.has(name)) continue;
      this.#evaluatedBefore += subscriber.evaluator.evaluated;
      this.#watched.delete(name);
    }
    for (const [name, source] of byName) this.#start(name, source, lastOf);
    this.#subscribe();
    for (const name of byName.keys()) this.#notify(name);
  }

  /** Evaluates what has changed. Undefined if the EventSource is not watched or a kind has not been listed yet. */
  evaluate(eventSource: string): Observation | undefined {
    const watched = this.#watched.get(eventSource);
    if (watched === undefined || !this.#hasAnswered(watched)) return undefined;
    const { subscriber, kinds } = watched;
    const before = subscriber.evaluator.evaluated;
    const result = subscriber.evaluator.evaluate();
    const isComplete = [...kinds.keys()].every((kind) => this.#informers.get(kind)?.hasSynced(subscriber));
    return { result, isComplete, evaluated: subscriber.evaluator.evaluated - before, pending: subscriber.evaluator.pendingCount };
  }

  #start(name: string, source: EventSource, lastOf: (eventSource: string) => readonly Match[]): void {
    const before = this.#watched.get(name);
    if (before !== undefined && evaluatesSame(before.source, source)) return;
    const last = before === undefined ? lastOf(name) : (this.evaluate(name)?.result.matches ?? lastOf(name));
    this.#evaluatedBefore += before?.subscriber.evaluator.evaluated ?? 0;
    const { clock, random } = this.#cluster;
    const environment = { now: () => Math.floor(clock.now() / 1000), random };
    const subscriber = { evaluator: new EventSourceEvaluator(source, { last, environment }), onChange: () => this.#notify(name) };
    this.#watched.set(name, { source, subscriber, kinds: Map.groupBy(source.selectors, kindKey) });
  }

  #subscribe(): void {
    const subscriptions = new Map<
      string,
      { readonly kind: GroupVersionKind; readonly subscribers: Map<EventSourceSubscriber, readonly ResourceSelector[]> }
    >();
    for (const { subscriber, kinds } of this.#watched.values()) {
      for (const [key, selectors] of kinds) {
        const { group, version, kind } = selectors[0]!;
        if (!subscriptions.has(key)) subscriptions.set(key, { kind: { group, version, kind }, subscribers: new Map() });
        subscriptions.get(key)?.subscribers.set(subscriber, selectors);
      }
    }
    for (const [key, informer] of this.#informers) {
      if (subscriptions.has(key)) continue;
      informer.close();
      this.#informers.delete(key);
    }
    for (const [key, { kind, subscribers }] of subscriptions) this.#informerFor(key, kind).setSubscriptions(subscribers);
  }

  #informerFor(key: string, kind: GroupVersionKind): KindInformer {
    let informer = this.#informers.get(key);
    if (informer === undefined) this.#informers.set(key, (informer = new KindInformer(this.#cluster, kind)));
    return informer;
  }

  #notify(name: string): void {
    const watched = this.#watched.get(name);
    if (watched !== undefined && !this.#signal.aborted && this.#hasAnswered(watched)) this.#onChange(name);
  }

  #hasAnswered({ subscriber, kinds }: WatchedSource): boolean {
    return [...kinds.keys()].every((kind) => this.#informers.get(kind)?.hasAnswered(subscriber));
  }

  #close(): void {
    for (const informer of this.#informers.values()) informer.close();
    this.#informers.clear();
    this.#watched.clear();
  }
}

function kindKey(kind: GroupVersionKind): string {
  return `${apiVersionOf(kind)}/${kind.kind}`;
}

/** Whether two specs give the same matches. `collectResources` makes no difference here: it only concerns the report. */
function evaluatesSame(one: EventSource, other: EventSource): boolean {
  return one.aggregatedSelection === other.aggregatedSelection && equal(one.selectors, other.selectors);
}
