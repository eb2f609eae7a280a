import type { Fault } from "../core/fault/index.ts";
import { ConnectionFault, isApiFault, isUnauthorized, type Cluster, type KindOrResource } from "../kube/index.ts";
import { SharedInformer, type SharedInformerOptions } from "./visitor/shared-informer.ts";

type VisitorNews = {
  /** The namespaces that the visitor has named. Default: all at once. */
  readonly namespaces?: readonly string[];
  /** The cluster no longer accepts who the visitor is. */
  readonly onUnauthorized?: () => void;
  /** The cluster does not answer; undefined: it answers again. */
  readonly onOutage?: (because: string | undefined) => void;
};

type Shared = { readonly informer: SharedInformer; readonly stop: AbortController; users: number };

/** The informers of one visitor in one cluster. Each is shared by all that ask for the same, and closed when nobody uses it. */
export class SharedInformers {
  readonly #cluster: Cluster;
  readonly #news: VisitorNews;
  readonly #open = new Map<string, Shared>();
  readonly #transforms = new Map<unknown, number>();

  constructor(cluster: Cluster, news: VisitorNews = {}) {
    this.#cluster = cluster;
    this.#news = news;
  }

  /** An informer, until the signal aborts. */
  use(target: KindOrResource, { transform, ...selection }: SharedInformerOptions, signal: AbortSignal): SharedInformer {
    const { group, version, kind } = target;
    const key = JSON.stringify([group, version, kind, Object.entries(selection).toSorted(), this.#numberOf(transform)]);
    const shared = this.#open.get(key) ?? this.#start(target, { ...selection, ...(transform === undefined ? {} : { transform }) });
    this.#open.set(key, shared);
    shared.users++;
    const release = () => {
      if (--shared.users > 0) return;
      this.#open.delete(key);
      shared.stop.abort(new Error("nobody looks any more"));
    };
    signal.addEventListener("abort", release, { once: true });
    return shared.informer;
  }

  /** How many informers run. */
  get size(): number {
    return this.#open.size;
  }

  #start(target: KindOrResource, options: SharedInformerOptions): Shared {
    const stop = new AbortController();
    const { namespaces = [] } = this.#news;
    const onState = (because: Fault | undefined) => this.#report(because);
    return {
      informer: new SharedInformer(this.#cluster, target, { ...options, namespaces, onState, signal: stop.signal }),
      stop,
      users: 0,
    };
  }

  #report(because: Fault | undefined): void {
    if (because === undefined) this.#news.onOutage?.(undefined);
    if (because instanceof ConnectionFault) this.#news.onOutage?.(because.message);
    if (isApiFault(because) && isUnauthorized(because)) this.#news.onUnauthorized?.();
  }

  #numberOf(transform: SharedInformerOptions["transform"]): number {
    const known = this.#transforms.get(transform) ?? this.#transforms.size;
    this.#transforms.set(transform, known);
    return known;
  }
}
