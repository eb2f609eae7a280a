import { failureMessageOf, readCluster, type ManagedCluster } from "../api/index.ts";
import { isConflict, isNotFound, type Cluster } from "../../kube/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import {
  runControlLoop,
  reconciled,
  WorkQueue,
  type ReconcileResult,
  type WorkQueueState,
  type ReportFailure,
} from "../../reconcile/index.ts";
import { Broadcaster } from "./broadcaster.ts";
import { isClusterReady, type FleetCluster, type FleetEvent } from "./fleet-cluster.ts";
import { ClusterConnector } from "./cluster-connector.ts";
import { clusterIdOf } from "./cluster-key.ts";
import { kubeconfigIn } from "./kubeconfig-secret.ts";
import type { OpenKubeconfig } from "./open-kubeconfig.ts";
import { ClusterInformers } from "./cluster-informers.ts";
import { writeSveltosClusterStatus } from "./sveltos-cluster-status.ts";
import { eventsBetween } from "./events-between.ts";

export type FleetOptions = {
  /** How clusters are reached: `overNetwork`, `inProcess`, or any other. */
  readonly open: OpenKubeconfig;
  /** Connect to every cluster. False: only to those that `attend` is called for, where replicas share them. Default true. */
  readonly manageAll?: boolean;
  /** Told of what could not be written to the management cluster and is tried again. Default: nobody is. */
  readonly report?: ReportFailure;
  /** Told why a cluster cannot be worked for, each time that it was looked at. Default: nobody is. */
  readonly onFailure?: (cluster: FleetCluster, because: string) => void;
};

/**
 * The clusters that a management cluster knows of: SveltosClusters and Clusters of Cluster API.
 *
 * It keeps a connection to each one it attends to, looks whether it is there, and says so in the status of
 * SveltosClusters. What is wrong with one cluster is that one's state, never an exception, and holds up nobody else.
 */
export class Fleet {
  readonly #hub: Cluster;
  readonly #options: FleetOptions;
  readonly #queue: WorkQueue;
  readonly #clusters = new Map<string, FleetCluster>();
  readonly #connectors = new Map<string, ClusterConnector>();
  readonly #managing = new Map<string, AbortSignal>();
  readonly #running = new Map<string, Promise<ReconcileResult>>();
  readonly #broadcaster = new Broadcaster<FleetEvent>();
  #informers: ClusterInformers | undefined;
  #isSynced = false;

  constructor(hub: Cluster, options: FleetOptions) {
    this.#hub = hub;
    this.#options = options;
    const { clock, random } = hub;
    // Each cluster is a lane of its own: to wait for one costs the others nothing.
    this.#queue = new WorkQueue({ clock, random, workers: 1000, perLane: 1, laneOf: (key) => key, ...reporting(options.report) });
  }

  /** All clusters as they are known now, ordered by key. */
  clusters(): readonly FleetCluster[] {
    return [...this.#clusters.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  }

  find(key: string): FleetCluster | undefined {
    return this.#clusters.get(key);
  }

  /** What the objects of all clusters say: what selectors choose from. */
  managedClusters(): readonly ManagedCluster[] {
    return this.clusters().map(({ managed }) => managed);
  }

  /** How the looking after clusters is going, for metrics. */
  state(): WorkQueueState {
    return this.#queue.state();
  }

  /** News until the signal aborts: first all there is (`added`, and `ready` where it is), then `synced`, then what changes. */
  events(signal: AbortSignal): AsyncIterable<FleetEvent> {
    const beginning = this.clusters().flatMap((cluster) => eventsBetween(undefined, cluster));
    return this.#broadcaster.subscribe(this.#isSynced ? [...beginning, { type: "synced" }] : beginning, signal);
  }

  /** Somebody has had trouble reaching a cluster: it is looked at now. */
  probeNow(key: string): void {
    this.#connectors.get(key)?.forceProbe();
    this.#queue.add(key);
  }

  /**
   * Keeps the connection to a cluster and its status until the signal aborts: what `Shards` is given for work. When it
   * resolves the connection is closed and nothing is written any more.
   */
  async manage(key: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#managing.set(key, signal);
    this.#queue.add(key);
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    if (this.#managing.get(key) === signal) this.#managing.delete(key);
    this.#close(key, "it is not attended to any more");
    const known = this.#clusters.get(key);
    if (known !== undefined) this.#update(key, { ...known, reachability: { state: "unknown" }, connection: undefined });
    await this.#running.get(key)?.catch(() => undefined);
  }

  /** Follows the management cluster until the signal aborts; then resolves when all connections are closed. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const sources = new ClusterInformers(this.#hub, either);
    this.#informers = sources;
    try {
      await sources.waitForSync(either);
      for (const key of sources.keys()) this.#observe(key, sources.find(clusterIdOf(key)));
      this.#isSynced = true;
      this.#broadcaster.broadcast([{ type: "synced" }]);
      await runControlLoop(
        sources.sources((secret) => this.#clustersUsing(secret)),
        this.#queue,
        (key, each) => this.#reconcile(key, each),
        either,
      );
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      stop.abort();
      for (const key of this.#connectors.keys()) this.#close(key, "the fleet is left");
    }
  }

  *#clustersUsing({ metadata: { namespace = "", name } }: KubeObject): Iterable<string> {
    for (const { key, managed } of this.#clusters.values()) {
      if (managed.namespace === namespace && managed.kubeconfig.secret === name) yield key;
    }
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const working = this.#reconcileCluster(key, signal);
    this.#running.set(key, working);
    try {
      return await working;
    } finally {
      this.#running.delete(key);
    }
  }

  async #reconcileCluster(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const object = this.#informers?.find(clusterIdOf(key));
    // What its object says is told before anybody waits for an answer of the cluster.
    const known = this.#observe(key, object);
    const managing = this.#managing.get(key) ?? (this.#options.manageAll === false ? undefined : signal);
    if (known === undefined || managing === undefined) return reconciled;
    const both = AbortSignal.any([signal, managing]);
    try {
      return await this.#syncConnection(key, known.managed, both);
    } catch (error) {
      // Not ours any more, or somebody has changed or removed it meanwhile, which we shall hear of.
      if (managing.aborted || isConflict(error) || isNotFound(error)) return reconciled;
      throw error;
    }
  }

  async #syncConnection(key: string, managed: ManagedCluster, signal: AbortSignal): Promise<ReconcileResult> {
    const objection = failureMessageOf(readCluster(managed.object));
    if (objection !== undefined) {
      this.#close(key, objection);
      const refused: FleetCluster = { key, managed, reachability: { state: "refused", because: objection }, connection: undefined };
      this.#update(key, refused);
      this.#options.onFailure?.(refused, objection);
      await writeSveltosClusterStatus(this.#hub, managed, { state: "refused", because: objection }, signal);
      return reconciled;
    }
    // Cluster API says itself when there is something to reach.
    if (managed.deleting || (managed.type === "Capi" && !managed.ready)) return reconciled;
    const connector = this.#connectorFor(key, managed);
    await connector.probeIfDue(kubeconfigIn(this.#informers?.secret(managed.namespace, managed.kubeconfig.secret), managed), signal);
    signal.throwIfAborted();
    const { reachability, connection } = connector;
    const looked: FleetCluster = { key, managed, reachability, connection };
    this.#update(key, looked);
    if (reachability.state === "unreachable") this.#options.onFailure?.(looked, reachability.because);
    await writeSveltosClusterStatus(this.#hub, managed, reachability, signal);
    return { settled: false, requeueAfterMs: connector.dueInMs };
  }

  /** Takes in what a cluster's object says, or that it is gone. */
  #observe(key: string, object: KubeObject | undefined): FleetCluster | undefined {
    if (object === undefined) {
      this.#close(key, "the cluster is gone");
      this.#update(key, undefined);
      this.#queue.drop(key);
      return undefined;
    }
    const { reachability = { state: "unknown" }, connection } = this.#connectors.get(key) ?? {};
    const before = this.#clusters.get(key)?.reachability;
    const cluster: FleetCluster = {
      key,
      managed: managedOf(object),
      reachability: before?.state === "refused" ? before : reachability,
      connection,
    };
    this.#update(key, cluster);
    return cluster;
  }

  #update(key: string, cluster: FleetCluster | undefined): void {
    const before = this.#clusters.get(key);
    if (cluster === undefined) this.#clusters.delete(key);
    else this.#clusters.set(key, cluster);
    this.#broadcaster.broadcast(eventsBetween(before, cluster));
  }

  #connectorFor(key: string, { namespace, name }: ManagedCluster): ClusterConnector {
    let connector = this.#connectors.get(key);
    const { clock, random } = this.#hub;
    if (connector === undefined) {
      connector = new ClusterConnector(`${namespace}/${name}`, { open: this.#options.open, clock, random });
      this.#connectors.set(key, connector);
    }
    return connector;
  }

  #close(key: string, because: string): void {
    this.#connectors.get(key)?.close(because);
    this.#connectors.delete(key);
  }
}

/** What can be said of a cluster even when its spec cannot be read. */
function managedOf(object: KubeObject): ManagedCluster {
  const reading = readCluster(object);
  if (reading.state === "read") return reading.value;
  const bare = readCluster({ ...object, metadata: { ...object.metadata }, spec: {} });
  if (bare.state === "read") return { ...bare.value, ready: false, object };
  throw new TypeError("a cluster without a spec cannot be read");
}

function reporting(report: ReportFailure | undefined): { readonly report?: ReportFailure } {
  return report === undefined ? {} : { report };
}

/** The clusters that add-ons may be deployed to now, from here. */
export function readyClusters(fleet: Fleet): readonly FleetCluster[] {
  return fleet.clusters().filter(isClusterReady);
}
