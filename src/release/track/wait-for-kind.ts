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
export function waitForKind(context: TrackContext, kind: GroupVersionKind, late: OnNotServed): Promise<ServedKind> {
  return untilFound(context, () => context.cluster.discovery.find(kind), announcementOfKind(kind), late);
}

/** The same for a resource argument: `sts`, `widgets.example.com`. */
export function waitForResource(context: TrackContext, name: string, late: OnNotServed): Promise<ServedKind> {
  return untilFound(context, () => context.cluster.discovery.findByName(name), announcementOfResource(name), late);
}

type Look = () => Promise<Resource | undefined>;

async function untilFound(
  { cluster, informers }: TrackContext,
  look: Look,
  isAbout: IsAnnouncement,
  late: OnNotServed,
): Promise<ServedKind> {
  const found = await look();
  if (found !== undefined) return servedOf(found);
  const looking = new DiscoveryRetry(cluster, look, late());
  const cancels: Cancel[] = [];
  try {
    for (const kind of announcingKinds) {
      if ((await cluster.discovery.find(kind)) !== undefined) cancels.push(listen(informers.informerFor(kind, ""), isAbout, looking));
    }
    return servedOf(await looking.found);
  } finally {
    for (const cancel of cancels) cancel();
    looking.end();
  }
}

/** An informer may be running already, so an announcement may have arrived before this call. */
function listen(informer: SharedInformer, isAbout: IsAnnouncement, looking: DiscoveryRetry): Cancel {
  if ([...informer.all()].some(isAbout)) looking.soon();
  return informer.watch(
    (announced) => {
      if (isAbout(announced)) looking.soon();
    },
    (trouble) => {
      if (isForbidden(trouble)) looking.blindly();
    },
  );
}

/** An API server serves a kind a little after it is announced, so discovery is retried with growing delays. */
const followUpsMs = [0, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 51_200];
const seldomMs = 30_000;

/** Retries discovery after each announcement. Only a user who may not watch CRDs and APIServices gets retries by the clock alone. */
class DiscoveryRetry {
  readonly found: Promise<Resource>;
  readonly #cluster: Cluster;
  readonly #look: Look;
  readonly #settle = Promise.withResolvers<Resource>();
  readonly #signal: AbortSignal;
  readonly #abort = () => this.#settle.reject(this.#signal.reason);
  #step = followUpsMs.length;
  #blind = false;
  #cancel: Cancel = () => undefined;
  #over = false;
  #under = false;

  constructor(cluster: Cluster, look: Look, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#look = look;
    this.#signal = signal;
    this.found = this.#settle.promise;
    this.found.catch(() => undefined); // It may reject before anybody awaits it.
    if (signal.aborted) this.#abort();
    signal.addEventListener("abort", this.#abort, { once: true });
  }

  /** Retries from the shortest delay on. */
  soon(): void {
    this.#step = 0;
    if (!this.#under) this.#plan();
  }

  blindly(): void {
    if (this.#blind) return;
    this.#blind = true;
    this.soon();
  }

  end(): void {
    this.#over = true;
    this.#signal.removeEventListener("abort", this.#abort);
    this.#cancel();
  }

  #plan(): void {
    this.#cancel();
    const ms = followUpsMs[this.#step++] ?? (this.#blind ? seldomMs : undefined);
    if (ms === undefined || this.#over) return;
    this.#cancel = this.#cluster.clock.after(ms, () => void this.#try());
  }

  async #try(): Promise<void> {
    this.#under = true;
    try {
      const found = await this.#look();
      if (found !== undefined) return this.#settle.resolve(found);
    } catch (error) {
      if (!isTransient(error)) return this.#settle.reject(error);
    } finally {
      this.#under = false;
    }
    this.#plan();
  }
}

function servedOf(resource: Resource): ServedKind {
  const { group, version, kind, namespaced } = resource;
  return { kind: { group, version, kind }, namespaced, hasStatus: hasStatus(resource) };
}
