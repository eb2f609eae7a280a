import type { ResourceSelector } from "../api/index.ts";
import type { Cluster } from "../../kube/index.ts";
import type { GroupVersionKind } from "../../core/object/index.ts";
import { ScopedInformer, type EventSourceSubscriber } from "./scoped-informer.ts";
import { covers, scopeOf } from "./scope.ts";

/** Who looks at a kind, and by which selectors. */
export type SubscriptionMap = ReadonlyMap<EventSourceSubscriber, readonly ResourceSelector[]>;

/**
 * The watch of one kind, no wider than those who look at it need. When somebody needs more, a wider one takes the place of
 * the first as soon as it has read everything; until then nobody notices.
 */
export class KindInformer {
  readonly #cluster: Cluster;
  readonly #kind: GroupVersionKind;
  #informer: ScopedInformer | undefined;
  /** Feeds that are to be replaced, with those who still read them. */
  readonly #informers = new Map<EventSourceSubscriber, ScopedInformer>();

  constructor(cluster: Cluster, kind: GroupVersionKind) {
    this.#cluster = cluster;
    this.#kind = kind;
  }

  /** These look at the kind, and nobody else. */
  setSubscriptions(subscriptions: SubscriptionMap): void {
    for (const [subscriber, informer] of this.#informers) if (!subscriptions.has(subscriber)) this.#move(subscriber, informer, undefined);
    const selectors = [...subscriptions.values()].flat();
    if (this.#informer === undefined || !covers(this.#informer.scope, selectors)) this.#widen(selectors);
    for (const subscriber of subscriptions.keys()) if (!this.#informers.has(subscriber)) this.#move(subscriber, undefined, this.#informer);
    this.#tidy();
  }

  /** All that a reader can be told of the kind now, it has been told of. */
  isSettled(subscriber: EventSourceSubscriber): boolean {
    const informer = this.#informers.get(subscriber);
    return informer !== undefined && informer.state !== "reading";
  }

  hasSynced(subscriber: EventSourceSubscriber): boolean {
    return this.#informers.get(subscriber)?.hasSynced === true;
  }

  close(): void {
    for (const informer of new Set([...this.#informers.values(), ...(this.#informer === undefined ? [] : [this.#informer])]))
      informer.close();
    this.#informers.clear();
  }

  #widen(selectors: readonly ResourceSelector[]): void {
    const before = this.#informer;
    const informer = new ScopedInformer(this.#cluster, this.#kind, scopeOf(selectors), () => this.#replace(informer));
    this.#informer = informer;
    if (before !== undefined && ![...this.#informers.values()].includes(before)) before.close();
  }

  #replace(informer: ScopedInformer): void {
    if (this.#informer !== informer || !informer.hasSynced) return;
    for (const [subscriber, place] of this.#informers) if (place !== informer) this.#move(subscriber, place, informer);
  }

  #move(subscriber: EventSourceSubscriber, from: ScopedInformer | undefined, to: ScopedInformer | undefined): void {
    from?.unsubscribe(subscriber);
    if (to === undefined) this.#informers.delete(subscriber);
    else {
      to.subscribe(subscriber, from);
      this.#informers.set(subscriber, to);
    }
    if (from !== undefined && from !== this.#informer && ![...this.#informers.values()].includes(from)) from.close();
  }

  #tidy(): void {
    if (this.#informers.size > 0) return;
    this.#informer?.close();
    this.#informer = undefined;
  }
}
