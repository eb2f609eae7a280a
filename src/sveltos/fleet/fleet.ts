import { failureMessageOf, readCluster, type ManagedCluster } from "../api/index.ts";
import { isConflict, isNotFound, type Cluster } from "../../kube/index.ts";
import { Fault } from "../../core/fault/index.ts";
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
import { renewTokenIfDue } from "./token-renewal.ts";
import { ClusterInformers } from "./cluster-informers.ts";
import { connectionFailuresOf, writeSveltosClusterStatus } from "./sveltos-cluster-status.ts";
import { eventsBetween } from "./events-between.ts";

type FleetOptions = {
  /** Opens connections: `networkOpener`, `inProcessOpener`, or another one. */
  readonly open: OpenKubeconfig;
  /** Connect to every cluster. False: only to those that `manage` is called for, where replicas shard the fleet. Default true. */
  readonly manageAll?: boolean;
  /** Whether this replica owns a cluster right now: asked before every write to it. Default: always. */
  readonly isOwned?: (key: string) => boolean;
  /** Called when a write to the management cluster has failed and is retried. Default: nothing is called. */
  readonly report?: ReportFailure;
  /** Called after every reconcile of a cluster that is invalid or unreachable, or whose token cannot be renewed. Default: nothing is called. */
  readonly onFailure?: (cluster: FleetCluster, because: string) => void;
};

/**
 * The clusters that are registered in a management cluster: SveltosClusters and Clusters of Cluster API.
 *
 * Maintains a connection to each cluster that it manages, probes it, and writes the status of SveltosClusters. The failure
 * of one cluster is part of that cluster's state; it is not thrown and does not delay other clusters.
 */
export class Fleet {
  readonly #hub: Cluster;
  readonly #options: FleetOptions;
  readonly #queue: WorkQueue;
  readonly #clusters = new Map<string, FleetCluster>();
  readonly #connectors = new Map<string, ClusterConnector>();
  /** Connections whose last writes are under way. */
  readonly #closing = new Map<string, Promise<void>>();
  readonly #managing = new Map<string, AbortSignal>();
  readonly #running = new Map<string, Promise<ReconcileResult>>();
  readonly #broadcaster = new Broadcaster<FleetEvent>();
  #informers: ClusterInformers | undefined;
  #isSynced = false;

  constructor(hub: Cluster, options: FleetOptions) {
    this.#hub = hub;
    this.#options = options;
    const { clock, random, onRecovery } = hub;
    // Each cluster is a lane of its own, so that an unreachable one does not block the others.
    const lanes = { workers: 1000, perLane: 1, laneOf: (key: string) => key };
    this.#queue = new WorkQueue({ clock, random, onRecovery, ...lanes, ...reporting(options.report) });
  }

  /** All clusters, ordered by key. */
  clusters(): readonly FleetCluster[] {
    return [...this.#clusters.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  }

  find(key: string): FleetCluster | undefined {
    return this.#clusters.get(key);
  }

  /** The objects of all clusters, for selectors to match. */
  managedClusters(): readonly ManagedCluster[] {
    return this.clusters().map(({ managed }) => managed);
  }

  /** The state of the work queue, for metrics. */
  state(): WorkQueueState {
    return this.#queue.state();
  }

  /** Yields `added` (and `ready`) for every known cluster, then `synced`, then changes, until the signal aborts. */
  events(signal: AbortSignal): AsyncIterable<FleetEvent> {
    const initial = this.clusters().flatMap((cluster) => eventsBetween(undefined, cluster));
    return this.#broadcaster.subscribe(this.#isSynced ? [...initial, { type: "synced" }] : initial, signal);
  }

  /** Probes a cluster at once, because a request to it has failed. */
  probeNow(key: string): void {
    this.#connectors.get(key)?.forceProbe();
    this.#queue.add(key);
  }

  /**
   * Maintains the connection to a cluster and its status until the signal aborts: the work of a `ShardCoordinator`. When it
   * resolves, the connection is closed, and no write that was sent through it can arrive any more.
   */
  async manage(key: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#managing.set(key, signal);
    this.#queue.add(key);
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    if (this.#managing.get(key) === signal) this.#managing.delete(key);
    const closed = this.#close(key, "this replica no longer manages it");
    const known = this.#clusters.get(key);
    if (known !== undefined) this.#update(key, { ...known, reachability: { state: "unknown" }, connection: undefined });
    await Promise.all([closed, this.#running.get(key)?.catch(() => undefined)]);
  }

  /** Runs the controller until the signal aborts; resolves when all connections are closed. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const informers = new ClusterInformers(this.#hub, either);
    this.#informers = informers;
    try {
      await informers.waitForSync(either);
      for (const key of informers.keys()) this.#observe(key, informers.find(clusterIdOf(key)));
      this.#isSynced = true;
      this.#broadcaster.broadcast([{ type: "synced" }]);
      await runControlLoop(
        informers.sources((secret) => this.#clustersUsing(secret)),
        this.#queue,
        (key, each) => this.#reconcile(key, each),
        either,
      );
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      stop.abort();
      await Promise.all([...this.#connectors.keys()].map((key) => this.#close(key, "the fleet has stopped")));
    }
  }

  *#clustersUsing({ metadata: { namespace = "", name } }: KubeObject): Iterable<string> {
    for (const { key, managed } of this.#clusters.values()) {
      if (managed.namespace === namespace && managed.kubeconfig.secret === name) yield key;
    }
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const running = this.#reconcileCluster(key, signal);
    this.#running.set(key, running);
    try {
      return await running;
    } finally {
      this.#running.delete(key);
    }
  }

  async #reconcileCluster(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const object = this.#informers?.find(clusterIdOf(key));
    // Broadcasts changes of the object before waiting for an answer of the cluster.
    const known = this.#observe(key, object);
    const managing = this.#managing.get(key) ?? (this.#options.manageAll === false ? undefined : signal);
    if (known === undefined || managing === undefined) return reconciled;
    const both = AbortSignal.any([signal, managing]);
    try {
      return await this.#syncConnection(key, known.managed, both);
    } catch (error) {
      // Another replica manages it, or its object has changed or is gone: the informer requeues it.
      if (managing.aborted || isConflict(error) || isNotFound(error)) return reconciled;
      throw error;
    }
  }

  async #syncConnection(key: string, managed: ManagedCluster, signal: AbortSignal): Promise<ReconcileResult> {
    const failureMessage = failureMessageOf(readCluster(managed.object));
    if (failureMessage !== undefined) {
      void this.#close(key, failureMessage);
      const refused: FleetCluster = { key, managed, reachability: { state: "refused", because: failureMessage }, connection: undefined };
      this.#update(key, refused);
      this.#options.onFailure?.(refused, failureMessage);
      await writeSveltosClusterStatus(this.#hub, managed, { state: "refused", because: failureMessage }, signal);
      return reconciled;
    }
    // A Cluster API cluster has no control plane to reach before its object is ready.
    if (managed.deleting || (managed.type === "Capi" && !managed.ready)) return reconciled;
    const connector = this.#connectorFor(key, managed);
    const kubeconfig = kubeconfigIn(this.#informers?.secret(managed.namespace, managed.kubeconfig.secret), managed);
    await connector.probeIfDue(kubeconfig, connectionFailuresOf(managed), signal);
    signal.throwIfAborted();
    const { reachability, connection } = connector;
    const probed: FleetCluster = { key, managed, reachability, connection };
    this.#update(key, probed);
    if (reachability.state === "unreachable") this.#options.onFailure?.(probed, reachability.because);
    await writeSveltosClusterStatus(this.#hub, managed, reachability, signal);
    const renewalMs = reachability.state === "reached" ? await this.#renewToken(probed, signal) : Infinity;
    return { settled: false, requeueAfterMs: Math.min(connector.dueInMs, renewalMs) };
  }

  /** A token that cannot be renewed is still valid: it is tried again with the next probe. */
  async #renewToken(cluster: FleetCluster, signal: AbortSignal): Promise<number> {
    const { managed, connection } = cluster;
    if (managed.tokenRenewal === undefined || connection === undefined) return Infinity;
    try {
      const secret = this.#informers?.secret(managed.namespace, managed.kubeconfig.secret);
      return (await renewTokenIfDue(this.#hub, managed, secret, connection.cluster, signal)) ?? Infinity;
    } catch (error) {
      if (signal.aborted || isConflict(error) || !(error instanceof Fault)) throw error;
      this.#options.onFailure?.(cluster, `its token cannot be renewed: ${error.message}`);
      return Infinity;
    }
  }

  /** Takes over the current object of a cluster; undefined: the cluster is gone. */
  #observe(key: string, object: KubeObject | undefined): FleetCluster | undefined {
    if (object === undefined) {
      void this.#close(key, "the cluster is gone");
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
      const { open, isOwned = () => true } = this.#options;
      connector = new ClusterConnector(`${namespace}/${name}`, { open, clock, random, isOwned: () => isOwned(key) });
      this.#connectors.set(key, connector);
    }
    return connector;
  }

  /** Resolves when no write to the cluster is under way any more. */
  async #close(key: string, because: string): Promise<void> {
    const connector = this.#connectors.get(key);
    this.#connectors.delete(key);
    const before = this.#closing.get(key);
    if (connector === undefined) return before;
    const closing = Promise.all([before, connector.close(because)]).then(() => undefined);
    this.#closing.set(key, closing);
    await closing;
    if (this.#closing.get(key) === closing) this.#closing.delete(key);
  }
}

/** Reads as much of a cluster as its object allows: one with an invalid spec is not ready. */
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

/** The clusters that this replica may deploy add-ons to now. */
export function readyClusters(fleet: Fleet): readonly FleetCluster[] {
  return fleet.clusters().filter(isClusterReady);
}
