import { withTimeout } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { thisMachine, type Cluster } from "../../kube/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { Semaphore } from "../../release/track/index.ts";
import { readCluster, type ManagedCluster } from "../api/index.ts";
import { listClusterObjects, networkOpener, openManagedCluster, type OpenKubeconfig } from "../fleet/index.ts";
import { clusterText, type FleetClusterRef } from "../../view/index.ts";

/** What a cluster has answered, or why it has not. */
type ClusterAnswer<T> = { readonly value: T } | { readonly because: string };

/** How many clusters are asked at once, and for how long each may take. */
const maxConcurrency = 20;
const timeoutMs = 30_000;

/** The managed clusters of a fleet, which are asked some at a time. One that does not answer holds up no other. */
export class ManagedClusters {
  readonly #hub: Cluster;
  readonly #managed: ReadonlyMap<string, ManagedCluster>;
  readonly #open: OpenKubeconfig;
  readonly #turns = new Semaphore(maxConcurrency);

  private constructor(hub: Cluster, objects: readonly KubeObject[]) {
    this.#hub = hub;
    this.#open = networkOpener(thisMachine(), hub.clock);
    this.#managed = new Map(
      objects.map(readCluster).flatMap((reading) => (reading.state === "read" ? [[keyOf(reading.value), reading.value]] : [])),
    );
  }

  static async list(hub: Cluster, signal: AbortSignal): Promise<ManagedClusters> {
    return new ManagedClusters(hub, await listClusterObjects(hub, undefined, signal));
  }

  all(): readonly ManagedCluster[] {
    return [...this.#managed.values()];
  }

  find(ref: FleetClusterRef): ManagedCluster | undefined {
    return this.#managed.get(keyOf(ref));
  }

  /** Does work on a cluster in its turn. Faults of the cluster are the answer; anything else is thrown. */
  ask<T>(
    ref: FleetClusterRef,
    work: (cluster: Cluster, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<ClusterAnswer<T>> {
    return this.#turns.run(async () => {
      signal.throwIfAborted();
      const managed = this.find(ref);
      if (managed === undefined) return { because: "it is not registered any more" };
      const late = new Fault(`it has not answered within ${timeoutMs / 1000} s`);
      try {
        const value = await withTimeout(this.#hub.clock, timeoutMs, late, (limited) => this.#workOn(managed, work, limited), { signal });
        return { value };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof Fault)) throw error;
        return { because: error.message };
      }
    });
  }

  async #workOn<T>(managed: ManagedCluster, work: (cluster: Cluster, signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const opened = await openManagedCluster(this.#hub, managed, this.#open, signal);
    try {
      return await work(opened.cluster, signal);
    } finally {
      opened.close();
    }
  }
}

/** Not every object that names a cluster has its type. */
function keyOf({ type = "Sveltos", ...ref }: FleetClusterRef): string {
  return `${type}/${clusterText(ref)}`;
}
