import type { ResourceSelector } from "../api/index.ts";
import type { Cluster } from "../../kube/index.ts";
import type { GroupVersionKind } from "../../core/object/index.ts";
import { ScopedInformer, type EventSourceSubscriber } from "./scoped-informer.ts";
import { covers, watchScopeOf } from "./watch-scope.ts";

/** The subscribers of a kind and their selectors. */
type SubscriptionMap = ReadonlyMap<EventSourceSubscriber, readonly ResourceSelector[]>;

/**
 * The informer of one kind, with the narrowest scope that covers all subscribers. When a subscriber needs more, a wider
 * informer replaces the current one after its first list; until then subscribers stay with the current one.
 */
export class KindInformer {
  readonly #cluster: Cluster;
  readonly #kind: GroupVersionKind;
  #informer: ScopedInformer | undefined;
  /** The informer that each subscriber reads now. It may be one that is about to be replaced. */
  readonly #informers = new Map<EventSourceSubscriber, ScopedInformer>();

  constructor(cluster: Cluster, kind: GroupVersionKind) {
    this.#cluster = cluster;
    this.#kind = kind;
  }

  /** Replaces all subscriptions. */
  setSubscriptions(subscriptions: SubscriptionMap): void {
    for (const [subscriber, informer] of this.#informers) if (!subscriptions.has(subscriber)) this.#move(subscriber, informer, undefined);
    const selectors = [...subscriptions.values()].flat();
    if (this.#informer === undefined || !covers(this.#informer.scope, selectors)) this.#widen(selectors);
    for (const subscriber of subscriptions.keys()) if (!this.#informers.has(subscriber)) this.#move(subscriber, undefined, this.#informer);
    this.#closeIfUnused();
  }

  /** Whether the first list has succeeded or failed for the subscriber. */
  hasAnswered(subscriber: EventSourceSubscriber): boolean {
    const informer = this.#informers.get(subscriber);
    return informer !== undefined && informer.state !== "listing";
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
    const informer = new ScopedInformer(this.#cluster, this.#kind, watchScopeOf(selectors), () => this.#replace(informer));
    this.#informer = informer;
    if (before !== undefined && ![...this.#informers.values()].includes(before)) before.close();
  }

  #replace(informer: ScopedInformer): void {
    if (this.#informer !== informer || !informer.hasSynced) return;
    for (const [subscriber, current] of this.#informers) if (current !== informer) this.#move(subscriber, current, informer);
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

  #closeIfUnused(): void {
    if (this.#informers.size > 0) return;
    this.#informer?.close();
    this.#informer = undefined;
  }
}
