import type { EventSource, ResourceSelector } from "../api/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { apiVersionOf, equal, type GroupVersionKind } from "../../core/object/index.ts";
import { EvaluationState, EventSourceEvaluator, needsPrograms, type EvaluationResult, type Match } from "../evaluate/index.ts";
import type { EventSourceSubscriber } from "./scoped-informer.ts";
import { IsolatedEvaluation, type EvaluationIsolation } from "./isolated-evaluation.ts";
import { KindInformer } from "./kind-informer.ts";

type EventSourceWatcherOptions = {
  /** Called with the name of an EventSource whose result may have changed, once for changes that arrive together. */
  readonly onChange: (eventSource: string) => void;
  /**
   * Lists each namespace that selectors name by itself: for a tenant, who may have no right to more. Default false: one list covers
   * all selectors of a kind.
   */
  readonly byNamespace?: boolean;
  /** Runs scripts and CEL rules elsewhere. Default: they run here, in `evaluate`. */
  readonly isolation?: EvaluationIsolation | undefined;
};

/** The current result of an EventSource. */
export type Observation = {
  readonly result: EvaluationResult;
  /** Every kind of its selectors has been listed or is not served. If false, matching objects may be missing. */
  readonly isComplete: boolean;
  /** How many objects have been evaluated since the last call. */
  readonly evaluated: number;
  /** Objects left for the next call because the script takes too long. `onChange` is not called for them. */
  readonly pending: number;
};

type WatchedSource = {
  readonly source: EventSource;
  readonly subscriber: EventSourceSubscriber;
  readonly kinds: ReadonlyMap<string, readonly ResourceSelector[]>;
  /** The result as far as it is known, and how many objects wait for the next call. */
  readonly evaluate: () => { readonly result: EvaluationResult; readonly pending: number };
  /** Begins to evaluate what it has got; nothing when `evaluate` does. */
  readonly wake: () => void;
  /** Whether there is a result. */
  readonly hasAnswered: () => boolean;
  readonly stop: AbortController;
  /** How many objects had been evaluated at the last call of `evaluate`. */
  counted: number;
};

/** Watches one cluster for a set of EventSources, with one informer for each kind, until the signal aborts. */
export class EventSourceWatcher {
  readonly #cluster: Cluster;
  readonly #onChange: (eventSource: string) => void;
  readonly #signal: AbortSignal;
  readonly #isolation: EvaluationIsolation | undefined;
  readonly #scopeKey: (selector: ResourceSelector) => string;
  readonly #watched = new Map<string, WatchedSource>();
  readonly #informers = new Map<string, KindInformer>();
  #evaluatedBefore = 0;

  constructor(cluster: Cluster, { onChange, byNamespace = false, isolation }: EventSourceWatcherOptions, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#onChange = onChange;
    this.#signal = signal;
    this.#isolation = isolation;
    this.#scopeKey = byNamespace ? (selector) => `${kindKey(selector)} ${selector.namespace} ${selector.name}` : kindKey;
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
    for (const name of this.#watched.keys()) if (!byName.has(name)) this.#stop(name);
    for (const [name, source] of byName) this.#start(name, source, lastOf);
    this.#subscribe();
    for (const name of byName.keys()) {
      this.#watched.get(name)?.wake();
      this.#notify(name);
    }
  }

  /** Evaluates what has changed. Undefined if the EventSource is not watched or a kind has not been listed yet. */
  evaluate(eventSource: string): Observation | undefined {
    const watched = this.#watched.get(eventSource);
    if (watched === undefined || !this.#hasAnswered(watched)) return undefined;
    const { subscriber, kinds, counted } = watched;
    const { result, pending } = watched.evaluate();
    const isComplete = [...kinds.keys()].every((kind) => this.#informers.get(kind)?.hasSynced(subscriber));
    watched.counted = subscriber.evaluator.evaluated;
    return { result, isComplete, evaluated: watched.counted - counted, pending };
  }

  #start(name: string, source: EventSource, lastOf: (eventSource: string) => readonly Match[]): void {
    const before = this.#watched.get(name);
    if (before !== undefined && evaluatesSame(before.source, source)) return;
    const last = before === undefined ? lastOf(name) : (this.evaluate(name)?.result.matches ?? lastOf(name));
    this.#stop(name);
    const kinds = Map.groupBy(source.selectors, this.#scopeKey);
    const isolation = needsPrograms(source) ? this.#isolation : undefined;
    this.#watched.set(name, {
      source,
      kinds,
      counted: 0,
      ...(isolation === undefined ? this.#evaluatedHere(source, last) : this.#evaluatedElsewhere(source, last, isolation)),
    });
  }

  #evaluatedHere(source: EventSource, last: readonly Match[]) {
    const { clock, random } = this.#cluster;
    const environment = { now: () => Math.floor(clock.now() / 1000), random };
    const evaluator = new EventSourceEvaluator(source, { last, environment });
    return {
      subscriber: { evaluator, onChange: () => this.#notify(source.metadata.name) },
      evaluate: () => ({ result: evaluator.evaluate(), pending: evaluator.pendingCount }),
      wake: () => {},
      hasAnswered: () => true,
      stop: new AbortController(),
    };
  }

  #evaluatedElsewhere(source: EventSource, last: readonly Match[], isolation: EvaluationIsolation) {
    const stop = new AbortController();
    const evaluator = new EvaluationState(source, last);
    const { name } = source.metadata;
    const { clock } = this.#cluster;
    const isListed = () => this.#isListed(this.#watched.get(name));
    const onChange = () => this.#notify(name);
    const evaluation = new IsolatedEvaluation(source, evaluator, { ...isolation, clock, isListed, onChange }, stop.signal);
    const wake = () => evaluation.wake();
    return {
      subscriber: { evaluator, onChange: wake },
      wake,
      evaluate: () => ({ result: evaluator.result(), pending: 0 }),
      hasAnswered: () => evaluation.hasAnswered,
      stop,
    };
  }

  #stop(name: string): void {
    const watched = this.#watched.get(name);
    if (watched === undefined) return;
    this.#evaluatedBefore += watched.subscriber.evaluator.evaluated;
    watched.stop.abort(new Fault(`EventSource ${name} is not evaluated any more`));
    this.#watched.delete(name);
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

  #hasAnswered(watched: WatchedSource): boolean {
    return watched.hasAnswered() && this.#isListed(watched);
  }

  /** Whether all kinds have been listed, or cannot be. */
  #isListed(watched: WatchedSource | undefined): boolean {
    if (watched === undefined) return false;
    return [...watched.kinds.keys()].every((kind) => this.#informers.get(kind)?.hasAnswered(watched.subscriber));
  }

  #close(): void {
    for (const informer of this.#informers.values()) informer.close();
    this.#informers.clear();
    for (const name of this.#watched.keys()) this.#stop(name);
  }
}

function kindKey(kind: GroupVersionKind): string {
  return `${apiVersionOf(kind)}/${kind.kind}`;
}

/** Whether two specs give the same matches. `collectResources` makes no difference here: it only concerns the report. */
function evaluatesSame(one: EventSource, other: EventSource): boolean {
  return one.aggregatedSelection === other.aggregatedSelection && equal(one.selectors, other.selectors);
}
