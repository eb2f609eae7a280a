import { Fault } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import type { ManagedCluster } from "../../sveltos/api/index.ts";
import { openManagedCluster } from "../../sveltos/fleet/index.ts";
import { readDeployedObjects, unknownObjects } from "../../sveltos/inspect/index.ts";
import type { AddonOutline, ResourceOutline } from "../../view/index.ts";
import { coalesce } from "../coalesce.ts";
import { CachedCluster } from "../release/cached-cluster.ts";
import { SharedInformers } from "../shared-informers.ts";
import type { ViewContext } from "../view-context.ts";

type Options = Pick<ViewContext, "cluster" | "informers" | "openManaged" | "signal"> & {
  /** Is given the health of all that is deployed, at every change of it. */
  readonly onRead: (objects: readonly ResourceOutline[]) => void;
  /** Is told why the managed cluster cannot be asked; undefined when it can. */
  readonly onProblem: (because: string | undefined) => void;
};

/** Follows how deployed objects are doing, in the managed cluster by its kubeconfig, which the visitor has to be allowed to read. */
export class DeployedHealth {
  readonly #options: Options;
  readonly #hub: CachedCluster;
  readonly #read: () => void;
  #addons: readonly AddonOutline[] = [];
  #managed: ManagedCluster | undefined;
  /** Asked once for each state of the cluster's object: it is asked again when that changes. */
  #opening: { readonly key: string; readonly stop: AbortController } | undefined;
  #remote: { readonly cached: CachedCluster } | { readonly because: string } | undefined;
  #isReading = false;
  #isDue = false;

  constructor(options: Options) {
    this.#options = options;
    this.#read = coalesce(options.cluster.clock, options.signal, () => void this.#readAll());
    this.#hub = new CachedCluster(options, this.#read);
    options.signal.addEventListener("abort", () => this.#opening?.stop.abort(options.signal.reason), { once: true });
  }

  /** Follows what is deployed now. Without a cluster nothing can be asked. */
  follow(addons: readonly AddonOutline[], managed: ManagedCluster | undefined): void {
    const isSame = JSON.stringify(addons) === JSON.stringify(this.#addons);
    this.#addons = addons;
    this.#managed = managed;
    this.#openIfChanged();
    if (!isSame) this.#read();
  }

  #openIfChanged(): void {
    const managed = this.#managed;
    if (managed === undefined || !this.#addons.some(isRemote)) return;
    const key = JSON.stringify([managed.ready, managed.down, managed.kubeconfig]);
    const isOpen = this.#remote !== undefined && "cached" in this.#remote;
    if (this.#opening?.key === key || (isOpen && !managed.down)) return;
    this.#opening?.stop.abort(new Fault("the cluster is opened anew"));
    const stop = new AbortController();
    this.#opening = { key, stop };
    void this.#open(managed, stop.signal);
  }

  async #open(managed: ManagedCluster, signal: AbortSignal): Promise<void> {
    const { cluster: hub, openManaged, onProblem } = this.#options;
    try {
      const { cluster, close } = await openManagedCluster(hub, managed, openManaged, signal);
      if (signal.aborted) return close();
      signal.addEventListener("abort", close, { once: true });
      this.#remote = { cached: this.#cached(cluster, signal) };
      onProblem(undefined);
    } catch (error) {
      if (signal.aborted) return;
      const because = error instanceof Fault ? error.message : String(error);
      this.#remote = { because };
      onProblem(because);
    }
    this.#read();
  }

  #cached(cluster: Cluster, signal: AbortSignal): CachedCluster {
    return new CachedCluster({ cluster, informers: new SharedInformers(cluster), signal }, this.#read);
  }

  /** One reading at a time: what changes meanwhile is read afterwards. */
  async #readAll(): Promise<void> {
    if (this.#isReading) return void (this.#isDue = true);
    this.#isReading = true;
    try {
      const { signal, onRead } = this.#options;
      const [remote, local] = await Promise.all([
        this.#readRemote(this.#addons.filter(isRemote)),
        readDeployedObjects(
          this.#addons.filter((addon) => !isRemote(addon)),
          this.#hub.cluster,
          { signal },
        ),
      ]);
      if (!signal.aborted && remote !== undefined) onRead([...remote, ...local]);
    } catch (error) {
      if (!this.#options.signal.aborted) this.#options.onProblem(error instanceof Error ? error.message : String(error));
    } finally {
      this.#isReading = false;
      if (this.#isDue) this.#read();
      this.#isDue = false;
    }
  }

  /** Undefined while the cluster is being opened. */
  async #readRemote(addons: readonly AddonOutline[]): Promise<readonly ResourceOutline[] | undefined> {
    if (addons.length === 0) return [];
    if (this.#remote === undefined) return undefined;
    if ("because" in this.#remote) return unknownObjects(addons, this.#remote.because);
    return readDeployedObjects(addons, this.#remote.cached.cluster, { signal: this.#options.signal });
  }
}

function isRemote({ deploymentType }: AddonOutline): boolean {
  return deploymentType === "Remote";
}
