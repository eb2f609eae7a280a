import { ProfileRecordings, type ChartSource } from "../../deploy/index.ts";
import { controllerShards, Fleet, isClusterReady, shardFleet, type FleetCluster, type OpenKubeconfig } from "../../fleet/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import { runLeaderElection, ShardCoordinator } from "../../../reconcile/index.ts";
import type { Environment } from "../../../lang/sprig/index.ts";
import type { TaskRunner } from "../../../worker/index.ts";
import { scopedTelemetry, type Monitor, type ProbeResult } from "../../telemetry/index.ts";
import { SharedCache, type ControllerContext, type TraceSink } from "../context/index.ts";
import { allControllers, type ControllerSet, type RunController } from "./controllers.ts";
import { requireCrds } from "./require-crds.ts";
import { guardWrites, limitWrites } from "./intercept-writes.ts";
import { refuseBesideSveltos } from "./refuse-beside-sveltos.ts";
import { runGroup, type Runnable } from "./run-group.ts";
import { traceRecordings } from "./trace-recordings.ts";

export type ControllerOptions = {
  /** The management cluster. */
  readonly hub: Cluster;
  /** The namespace of the Leases. All replicas of one management cluster must use the same. */
  readonly namespace: string;
  /** Identifies this process. No other process may ever have the same. */
  readonly identity: string;
  /** Opens connections to managed clusters. */
  readonly open: OpenKubeconfig;
  /** The clock and randomness that templates see. */
  readonly environment: Environment;
  /** Runs the templates and scripts of profiles elsewhere. Default: they run here. */
  readonly tasks?: TaskRunner;
  /** The same for the scripts and rules of events. They are short, and do not wait for the others. */
  readonly eventTasks?: TaskRunner;
  readonly charts?: ChartSource;
  readonly monitor: Monitor;
  /** Install or update the CRDs. Default false: missing ones are an error. */
  readonly installCrds?: boolean;
  /** Keep recordings of what is deployed, for `sluice timeline`. Default false. */
  readonly recording?: boolean;
  /** Is told what is deployed and which events brought it about; of what is recorded alone. Default: nobody is. */
  readonly traces?: TraceSink;
  /** Run although Sveltos controllers run in the management cluster. Default false. */
  readonly besideSveltos?: boolean;
};

/** The Lease of the leader. */
const leaderLease = "sluice-leader";

/**
 * Runs all controllers until the signal aborts. Resolves when they have ended and all Leases are released, so that another
 * replica takes over at once. A controller that fails for good stops the others, and its error is thrown.
 *
 * Two replicas never do the same work: the leader works on the management cluster, and each managed cluster belongs to the
 * shard of one replica.
 */
export async function runControllers(
  options: ControllerOptions,
  signal: AbortSignal,
  controllers: ControllerSet = allControllers,
): Promise<void> {
  const { hub, monitor, installCrds = false, besideSveltos = false } = options;
  if (!besideSveltos) await refuseBesideSveltos(hub, signal);
  await requireCrds(hub, installCrds, signal);
  // The fleet and the Leases end last: Leases are renewed until all controllers have ended.
  const foundation = new AbortController();
  const onLateError = (name: string, error: unknown) =>
    monitor.log.write("warn", `${name} failed while it was stopping`, { error: String(error) });
  const replica = new Replica(options, controllers, foundation.signal);
  const foundationRunnables = { fleet: replica.runFleet, shards: replica.runShards };
  const running = runGroup(foundationRunnables, foundation.signal, onLateError);
  const failed = new AbortController();
  running.catch((error: unknown) => failed.abort(error));
  const stop = AbortSignal.any([signal, failed.signal]);
  monitor.log.write("info", "started", { identity: options.identity, namespace: options.namespace });
  try {
    await runGroup(replica.runnables(onLateError), stop, onLateError);
  } finally {
    foundation.abort(new Error("all controllers have ended"));
    await running;
    monitor.readiness = () => ({ well: false, because: "it has ended" });
    monitor.log.write("info", "ended", { identity: options.identity });
  }
}

/** One replica: its context, its shard and whether it leads. */
class Replica {
  readonly #options: ControllerOptions;
  readonly #controllers: ControllerSet;
  readonly #context: ControllerContext;
  readonly #shards: ShardCoordinator;
  #isLeader = false;
  #isSynced = false;

  constructor(options: ControllerOptions, controllers: ControllerSet, signal: AbortSignal) {
    const { hub, identity, namespace, monitor, open, environment, tasks, eventTasks, charts, recording = false, traces } = options;
    this.#options = options;
    this.#controllers = controllers;
    const telemetry = monitor.telemetryFor(hub, identity, signal, new Set(Object.keys(controllers.leaderOnly)));
    const onFailure = ({ managed, reachability }: FleetCluster, message: string) =>
      telemetry.recordEvent(managed.object, {
        type: "Warning",
        reason: reachability.state === "refused" ? "Refused" : reachability.state === "reached" ? "TokenNotRenewed" : "ClusterUnreachable",
        message,
      });
    const isOwned = (key: string) => this.#shards.isOwned(key);
    const fleet = new Fleet(hub, { open, manageAll: false, isOwned, report: telemetry.failureReporter("fleet"), onFailure });
    const cache = new SharedCache(hub, signal);
    const limited = limitWrites(hub);
    const onWarning = (warning: string) => monitor.log.write("warn", warning);
    this.#context = {
      hub: limited,
      cache,
      fleet,
      environment,
      identity,
      telemetry,
      ...(tasks === undefined ? {} : { tasks }),
      ...(eventTasks === undefined ? {} : { eventTasks }),
      ...(charts === undefined ? {} : { charts }),
      ...(traces === undefined ? {} : { traces }),
      ...(recording ? { recordings: new ProfileRecordings(limited, onWarning, traceRecordings(cache, traces)) } : {}),
    };
    this.#shards = new ShardCoordinator(hub, {
      group: { namespace, name: controllerShards },
      identity,
      work: (key, held) => fleet.manage(key, held),
      report: (error, key) => monitor.log.write("warn", "shards failed", { error: String(error), ...(key === undefined ? {} : { key }) }),
    });
    telemetry.watchQueue("fleet", fleet);
    this.#registerMetrics();
  }

  readonly runFleet: Runnable = async (signal) => {
    const syncing = (async () => {
      for await (const { type } of this.#context.fleet.events(signal)) if (type === "synced") this.#isSynced = true;
    })();
    await this.#context.fleet.run(signal);
    await syncing;
  };

  readonly runShards: Runnable = (signal) => shardFleet(this.#context.fleet, this.#shards, signal);

  /** The controllers of every replica, and the leader election that runs those of the leader. */
  runnables(onLateError: (name: string, error: unknown) => void): Readonly<Record<string, Runnable>> {
    const { hub, namespace, identity, monitor } = this.#options;
    const lock = { namespace, name: leaderLease, about: "the management cluster" };
    const waiting = (because: string) => monitor.log.write("info", "waiting for leadership", { because });
    const leader: Runnable = (signal) =>
      runLeaderElection(hub, lock, { identity, signal, waiting }, async (term, assertLeading) => {
        this.#isLeader = true;
        monitor.log.write("info", "became leader", { identity });
        try {
          const context = { ...this.#context, hub: guardWrites(this.#context.hub, assertLeading) };
          await runGroup(this.#runnablesOf(this.#controllers.leaderOnly, context), term, onLateError);
        } finally {
          this.#isLeader = false;
          monitor.log.write("info", "lost leadership", { identity });
        }
      });
    return { ...this.#runnablesOf(this.#controllers.everyReplica), leader };
  }

  #runnablesOf(controllers: Readonly<Record<string, RunController>>, context = this.#context): Readonly<Record<string, Runnable>> {
    const { cache, telemetry } = context;
    const runnableOf = (run: RunController) => (signal: AbortSignal) =>
      run({ ...context, cache: cache.scopedTo(signal), telemetry: scopedTelemetry(telemetry, signal) }, signal);
    return Object.fromEntries(Object.entries(controllers).map(([name, run]) => [name, runnableOf(run)]));
  }

  #readiness(): ProbeResult {
    if (!this.#isSynced) return { well: false, because: "the clusters of the fleet are not known yet" };
    // Its Lease is renewed every few seconds, so it shows whether the management cluster answers.
    if (!this.#shards.isMember) return { well: false, because: "the management cluster has not been reached lately" };
    const missing = this.#context.cache.unsynced();
    return missing.length === 0 ? { well: true } : { well: false, because: `not known yet: ${missing.join(", ")}` };
  }

  #registerMetrics(): void {
    const { monitor } = this.#options;
    monitor.readiness = () => this.#readiness();
    monitor.metrics.register("sluice_leader", () => [{ value: this.#isLeader ? 1 : 0 }]);
    monitor.metrics.register("sluice_clusters_owned", () => [{ value: this.#shards.owned().length }]);
    monitor.metrics.register("sluice_replicas", () => [{ value: this.#shards.members().length }]);
    monitor.metrics.register("sluice_clusters", () => {
      const states = this.#context.fleet.clusters().map((cluster) => (isClusterReady(cluster) ? "ready" : cluster.reachability.state));
      return ["ready", "reached", "unreachable", "refused", "unknown"].map((state) => ({
        labels: { state },
        value: states.filter((each) => each === state).length,
      }));
    });
  }
}
