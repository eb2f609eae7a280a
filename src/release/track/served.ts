import type { Cancel } from "../../core/clock/index.ts";
import { hasStatus, isForbidden, mayPass, type Cluster, type Resource } from "../../kube/index.ts";
import type { GroupVersionKind } from "../../core/object/index.ts";
import { aboutKind, aboutName, announcers, type IsAbout } from "./announcement.ts";
import type { Lookout, Shelf } from "./lookout.ts";

/** A kind as the cluster serves it, as far as waiting for its objects goes. */
export type Served = { readonly kind: GroupVersionKind; readonly namespaced: boolean; readonly hasStatus: boolean };

/** From where a cluster is watched. */
export type Post = { readonly cluster: Cluster; readonly lookout: Lookout };

/** When there is something to wait for: told of it, and gives the signal that ends the waiting. */
export type Late = () => AbortSignal;

/** Looks a kind up, and where it is not served waits until it is. */
export function served(post: Post, kind: GroupVersionKind, late: Late): Promise<Served> {
  return untilFound(post, () => post.cluster.discovery.find(kind), aboutKind(kind), late);
}

/** The same for a resource as somebody wrote it: `sts`, `widgets.example.com`. */
export function servedNamed(post: Post, name: string, late: Late): Promise<Served> {
  return untilFound(post, () => post.cluster.discovery.named(name), aboutName(name), late);
}

type Look = () => Promise<Resource | undefined>;

async function untilFound({ cluster, lookout }: Post, look: Look, isAbout: IsAbout, late: Late): Promise<Served> {
  const found = await look();
  if (found !== undefined) return servedOf(found);
  const looking = new Looking(cluster, look, late());
  const cancels: Cancel[] = [];
  try {
    for (const kind of announcers) {
      if ((await cluster.discovery.find(kind)) !== undefined) cancels.push(listen(lookout.shelf(kind, ""), isAbout, looking));
    }
    return servedOf(await looking.found);
  } finally {
    for (const cancel of cancels) cancel();
    looking.end();
  }
}

/** Others may have been watching for long: what is there already may have come since the first look. */
function listen(shelf: Shelf, isAbout: IsAbout, looking: Looking): Cancel {
  if ([...shelf.all()].some(isAbout)) looking.soon();
  return shelf.watch(
    (announced) => {
      if (isAbout(announced)) looking.soon();
    },
    (trouble) => {
      if (isForbidden(trouble)) looking.blindly();
    },
  );
}

/** What a server was told to serve it serves a little later: by then an announcement is followed up, in growing steps. */
const followUpsMs = [0, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 51_200];
const seldomMs = 30_000;

/**
 * Looks when there is reason to. Somebody who may not watch what announces kinds has no other way than to look again and
 * again: that, and nothing else, is done by the clock alone.
 */
class Looking {
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
    this.found.catch(() => undefined); // it may end before anybody waits for it
    if (signal.aborted) this.#abort();
    signal.addEventListener("abort", this.#abort, { once: true });
  }

  /** There is news. */
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
      if (!mayPass(error)) return this.#settle.reject(error);
    } finally {
      this.#under = false;
    }
    this.#plan();
  }
}

function servedOf(resource: Resource): Served {
  const { group, version, kind, namespaced } = resource;
  return { kind: { group, version, kind }, namespaced, hasStatus: hasStatus(resource) };
}
