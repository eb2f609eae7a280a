import type { ChartSource } from "../../deploy/index.ts";
import { Fleet, isClusterReady, shardFleet, type FleetCluster, type OpenKubeconfig } from "../../fleet/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import { runLeaderElection, ShardCoordinator } from "../../../reconcile/index.ts";
import type { Environment } from "../../../lang/sprig/index.ts";
import type { Monitor, ProbeResult } from "../../telemetry/index.ts";
import { SharedCache, type ControllerContext } from "../context/index.ts";
import { allControllers, type ControllerSet } from "./controllers.ts";
import { requireCrds } from "./require-crds.ts";
import { limitWrites } from "./limit-writes.ts";
import { refuseBesideSveltos } from "./refuse-beside-sveltos.ts";
import { runAll, type Runnable } from "./run-all.ts";

export type ControllerOptions = {
  /** The management cluster. */
  readonly hub: Cluster;
  /** Where the Leases are by which replicas know of each other: the same for all who work for one management cluster. */
  readonly namespace: string;
  /** Names this process among all that ever run. */
  readonly identity: string;
  /** How managed clusters are reached. */
  readonly open: OpenKubeconfig;
  /** Time and chance, for templates. */
  readonly environment: Environment;
  readonly charts?: ChartSource;
  readonly monitor: Monitor;
  /** Install or update the definitions of our kinds. Default false: what is missing is refused. */
  readonly installCrds?: boolean;
  /** Run although controllers of Sveltos are alive in the management cluster. Default false. */
  readonly besideSveltos?: boolean;
};

/** The Lease of the leader, and what the Leases of replicas are called. */
const leaderLease = "sluice-leader";
const shardGroup = "sluice";

/**
 * Works for a management cluster until the signal aborts; then it resolves when all work has ended and all Leases are let go,
 * so that another replica takes over at once. A controller that fails for good stops the others, and its failure is thrown.
 *
 * Two of these never do the same: what concerns the management cluster alone is the leader's, what is done in a managed
 * cluster is done by the replica that has its shard.
 */
export async function runControllers(options: ControllerOptions, signal: AbortSignal, crew: ControllerSet = allControllers): Promise<void> {
  const { hub, monitor, installCrds = false, besideSveltos = false } = options;
  if (!besideSveltos) await refuseBesideSveltos(hub, signal);
  await requireCrds(hub, installCrds, signal);
  // What all work rests on ends last: Leases are renewed until nobody works any more.
  const ground = new AbortController();
  const late = (name: string, error: unknown) => monitor.log.write("warn", `${name} has not ended well`, { error: String(error) });
  const replica = new Replica(options, crew, ground.signal);
  const resting = { fleet: replica.runFleet, shards: replica.runShards };
  const grounded = runAll(resting, ground.signal, late);
  const sinking = new AbortController();
  grounded.catch((error: unknown) => sinking.abort(error));
  const stop = AbortSignal.any([signal, sinking.signal]);
  monitor.log.write("info", "started", { identity: options.identity, namespace: options.namespace });
  try {
    await runAll(replica.runnables(late), stop, late);
  } finally {
    ground.abort(new Error("all work has ended"));
    await grounded;
    monitor.readiness = () => ({ well: false, because: "it has ended" });
    monitor.log.write("info", "ended", { identity: options.identity });
  }
}

/** What one replica consists of. */
class Replica {
  readonly #options: ControllerOptions;
  readonly #crew: ControllerSet;
  readonly #desk: ControllerContext;
  readonly #shards: ShardCoordinator;
  #isLeader = false;
  #isSynced = false;

  constructor(options: ControllerOptions, crew: ControllerSet, ground: AbortSignal) {
    const { hub, identity, namespace, monitor, open, environment, charts } = options;
    this.#options = options;
    this.#crew = crew;
    const telemetry = monitor.telemetryFor(hub, identity, ground, new Set(Object.keys(crew.leaderOnly)));
    const onFailure = ({ managed, reachability }: FleetCluster, message: string) =>
      telemetry.recordEvent(managed.object, {
        type: "Warning",
        reason: reachability.state === "refused" ? "Refused" : "ClusterUnreachable",
        message,
      });
    const fleet = new Fleet(hub, { open, manageAll: false, report: telemetry.failureReporter("fleet"), onFailure });
    const cache = new SharedCache(hub, ground);
    this.#desk = { hub: limitWrites(hub), cache, fleet, environment, identity, telemetry, ...(charts === undefined ? {} : { charts }) };
    this.#shards = new ShardCoordinator(hub, {
      group: { namespace, name: shardGroup },
      identity,
      work: (key, signal) => fleet.manage(key, signal),
      report: (error, key) => monitor.log.write("warn", "shards failed", { error: String(error), ...(key === undefined ? {} : { key }) }),
    });
    telemetry.watchQueue("fleet", fleet);
    this.#measure();
  }

  readonly runFleet: Runnable = async (signal) => {
    const listening = (async () => {
      for await (const { type } of this.#desk.fleet.events(signal)) if (type === "synced") this.#isSynced = true;
    })();
    await this.#desk.fleet.run(signal);
    await listening;
  };

  readonly runShards: Runnable = (signal) => shardFleet(this.#desk.fleet, this.#shards, signal);

  /** What this replica does whether it leads or not, and that it wants to lead. */
  runnables(late: (name: string, error: unknown) => void): Readonly<Record<string, Runnable>> {
    const { hub, namespace, identity, monitor } = this.#options;
    const subject = { namespace, name: leaderLease, about: "the management cluster" };
    const waiting = (because: string) => monitor.log.write("info", "waits to lead", { because });
    const leading: Runnable = (signal) =>
      runLeaderElection(hub, subject, { identity, signal, waiting }, async (term) => {
        this.#isLeader = true;
        monitor.log.write("info", "leads", { identity });
        try {
          await runAll(this.#ofDesk(this.#crew.leaderOnly), term, late);
        } finally {
          this.#isLeader = false;
          monitor.log.write("info", "leads no more", { identity });
        }
      });
    return { ...this.#ofDesk(this.#crew.everyReplica), leader: leading };
  }

  #ofDesk(keepers: ControllerSet["leaderOnly"]): Readonly<Record<string, Runnable>> {
    const keeping = (keep: ControllerSet["leaderOnly"][string]) => (signal: AbortSignal) =>
      keep({ ...this.#desk, cache: this.#desk.cache.scopedTo(signal) }, signal);
    return Object.fromEntries(Object.entries(keepers).map(([name, keep]) => [name, keeping(keep)]));
  }

  #readiness(): ProbeResult {
    if (!this.#isSynced) return { well: false, because: "the clusters of the fleet are not known yet" };
    const missing = this.#desk.cache.unsynced();
    return missing.length === 0 ? { well: true } : { well: false, because: `not known yet: ${missing.join(", ")}` };
  }

  #measure(): void {
    const { monitor } = this.#options;
    monitor.readiness = () => this.#readiness();
    monitor.metrics.register("sluice_leader", () => [{ value: this.#isLeader ? 1 : 0 }]);
    monitor.metrics.register("sluice_clusters_owned", () => [{ value: this.#shards.owned().length }]);
    monitor.metrics.register("sluice_replicas", () => [{ value: this.#shards.members().length }]);
    monitor.metrics.register("sluice_clusters", () => {
      const states = this.#desk.fleet.clusters().map((cluster) => (isClusterReady(cluster) ? "ready" : cluster.reachability.state));
      return ["ready", "reached", "unreachable", "refused", "unknown"].map((state) => ({
        labels: { state },
        value: states.filter((each) => each === state).length,
      }));
    });
  }
}
