import type { Cancel } from "../../core/clock/index.ts";
import { hasStatus, isForbidden, isTransient, type Cluster, type Resource } from "../../kube/index.ts";
import type { GroupVersionKind } from "../../core/object/index.ts";
import { announcementOfKind, announcementOfResource, announcingKinds, type IsAnnouncement } from "./kind-announcement.ts";
import type { InformerFactory, SharedInformer } from "./informer-factory.ts";

/** A served kind, as far as a wait needs it. */
export type ServedKind = { readonly kind: GroupVersionKind; readonly namespaced: boolean; readonly hasStatus: boolean };

/** A cluster with its shared informers. */
type TrackContext = { readonly cluster: Cluster; readonly informers: InformerFactory };

/** Is called when the kind is not served yet, and returns the signal that ends the wait. */
type OnNotServed = () => AbortSignal;

/** Resolves a kind, and waits until it is served. */
export function waitForServedKind(context: TrackContext, kind: GroupVersionKind, onNotServed: OnNotServed): Promise<ServedKind> {
  return waitUntilServed(context, () => context.cluster.discovery.find(kind), announcementOfKind(kind), onNotServed);
}

/** The same for a resource argument: `sts`, `widgets.example.com`. */
export function waitForServedResource(context: TrackContext, name: string, onNotServed: OnNotServed): Promise<ServedKind> {
  return waitUntilServed(context, () => context.cluster.discovery.findByName(name), announcementOfResource(name), onNotServed);
}

type Discover = () => Promise<Resource | undefined>;

async function waitUntilServed(
  { cluster, informers }: TrackContext,
  discover: Discover,
  isAnnouncement: IsAnnouncement,
  onNotServed: OnNotServed,
): Promise<ServedKind> {
  const found = await discover();
  if (found !== undefined) return servedOf(found);
  const discovery = new DiscoveryRetry(cluster, discover, onNotServed());
  const cancels: Cancel[] = [];
  try {
    for (const kind of announcingKinds) {
      if ((await cluster.discovery.find(kind)) !== undefined)
        cancels.push(watchAnnouncements(informers.informerFor(kind, ""), isAnnouncement, discovery));
    }
    return servedOf(await discovery.found);
  } finally {
    for (const cancel of cancels) cancel();
    discovery.end();
  }
}

/** An informer may be running already, so an announcement may have arrived before this call. */
function watchAnnouncements(informer: SharedInformer, isAnnouncement: IsAnnouncement, discovery: DiscoveryRetry): Cancel {
  if ([...informer.all()].some(isAnnouncement)) discovery.retry();
  const cancels = [
    informer.watch((announced) => {
      if (isAnnouncement(announced)) discovery.retry();
    }),
    informer.onTrouble((trouble) => {
      if (isForbidden(trouble)) discovery.poll();
    }),
  ];
  return () => cancels.forEach((cancel) => cancel());
}

/** An API server serves a kind a little after it is announced, so discovery is retried with growing delays. */
const retryDelaysMs = [0, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 51_200];
const pollIntervalMs = 30_000;

/** Retries discovery after each announcement. Only a user who may not watch CRDs and APIServices gets retries by the clock alone. */
class DiscoveryRetry {
  readonly found: Promise<Resource>;
  readonly #cluster: Cluster;
  readonly #discover: Discover;
  readonly #settle = Promise.withResolvers<Resource>();
  readonly #signal: AbortSignal;
  readonly #abort = () => this.#settle.reject(this.#signal.reason);
  #step = retryDelaysMs.length;
  #polls = false;
  #cancel: Cancel = () => undefined;
  #ended = false;
  #discovering = false;

  constructor(cluster: Cluster, discover: Discover, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#discover = discover;
    this.#signal = signal;
    this.found = this.#settle.promise;
    this.found.catch(() => undefined); // It may reject before anybody awaits it.
    if (signal.aborted) this.#abort();
    signal.addEventListener("abort", this.#abort, { once: true });
  }

  /** Retries from the shortest delay on. */
  retry(): void {
    this.#step = 0;
    if (!this.#discovering) this.#scheduleNext();
  }

  poll(): void {
    if (this.#polls) return;
    this.#polls = true;
    this.retry();
  }

  end(): void {
    this.#ended = true;
    this.#signal.removeEventListener("abort", this.#abort);
    this.#cancel();
  }

  #scheduleNext(): void {
    this.#cancel();
    const ms = retryDelaysMs[this.#step++] ?? (this.#polls ? pollIntervalMs : undefined);
    if (ms === undefined || this.#ended) return;
    this.#cancel = this.#cluster.clock.after(ms, () => void this.#try());
  }

  async #try(): Promise<void> {
    this.#discovering = true;
    try {
      const found = await this.#discover();
      if (found !== undefined) return this.#settle.resolve(found);
    } catch (error) {
      if (!isTransient(error)) return this.#settle.reject(error);
    } finally {
      this.#discovering = false;
    }
    this.#scheduleNext();
  }
}

function servedOf(resource: Resource): ServedKind {
  const { group, version, kind, namespaced } = resource;
  return { kind: { group, version, kind }, namespaced, hasStatus: hasStatus(resource) };
}
