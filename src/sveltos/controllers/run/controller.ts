import type { ChartSource } from "../../deploy/index.ts";
import { Fleet, isReady, shareOut, type FleetCluster, type OpenKubeconfig } from "../../fleet/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import { lead, Shards } from "../../../reconcile/index.ts";
import type { Surroundings } from "../../../lang/sprig/index.ts";
import type { Monitor, Vitals } from "../../telemetry/index.ts";
import { Copies, type Desk } from "../context/index.ts";
import { controllers, type Controllers } from "./controllers.ts";
import { requireDefinitions } from "./definitions.ts";
import { restrained } from "./restrained.ts";
import { refuseBesideSveltos } from "./sveltos.ts";
import { together, type Work } from "./together.ts";

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
  readonly surroundings: Surroundings;
  readonly charts?: ChartSource;
  readonly monitor: Monitor;
  /** Install or update the definitions of our kinds. Default false: what is missing is refused. */
  readonly installDefinitions?: boolean;
  /** Run although controllers of Sveltos are alive in the management cluster. Default false. */
  readonly besideSveltos?: boolean;
};

/** The Lease of the leader, and what the Leases of replicas are called. */
const leaderLease = "sluice-leader";
const group = "sluice";

/**
 * Works for a management cluster until the signal aborts; then it resolves when all work has ended and all Leases are let go,
 * so that another replica takes over at once. A controller that fails for good stops the others, and its failure is thrown.
 *
 * Two of these never do the same: what concerns the management cluster alone is the leader's, what is done in a managed
 * cluster is done by the replica that has its shard.
 */
export async function runController(options: ControllerOptions, signal: AbortSignal, crew: Controllers = controllers): Promise<void> {
  const { hub, monitor, installDefinitions = false, besideSveltos = false } = options;
  if (!besideSveltos) await refuseBesideSveltos(hub, signal);
  await requireDefinitions(hub, installDefinitions, signal);
  // What all work rests on ends last: Leases are renewed until nobody works any more.
  const ground = new AbortController();
  const late = (name: string, error: unknown) => monitor.log.say("warn", `${name} has not ended well`, { error: String(error) });
  const site = new Site(options, crew, ground.signal);
  const resting = { fleet: site.runFleet, shards: site.runShards };
  const grounded = together(resting, ground.signal, late);
  const sinking = new AbortController();
  grounded.catch((error: unknown) => sinking.abort(error));
  const stop = AbortSignal.any([signal, sinking.signal]);
  monitor.log.say("info", "started", { identity: options.identity, namespace: options.namespace });
  try {
    await together(site.works(late), stop, late);
  } finally {
    ground.abort(new Error("all work has ended"));
    await grounded;
    monitor.readiness = () => ({ well: false, because: "it has ended" });
    monitor.log.say("info", "ended", { identity: options.identity });
  }
}

/** What one replica consists of. */
class Site {
  readonly #options: ControllerOptions;
  readonly #crew: Controllers;
  readonly #desk: Desk;
  readonly #shards: Shards;
  #isLeader = false;
  #isSynced = false;

  constructor(options: ControllerOptions, crew: Controllers, ground: AbortSignal) {
    const { hub, identity, namespace, monitor, open, surroundings, charts } = options;
    this.#options = options;
    this.#crew = crew;
    const chronicle = monitor.chronicle(hub, identity, ground, new Set(Object.keys(crew.leading)));
    const trouble = ({ managed, reach }: FleetCluster, message: string) =>
      chronicle.note(managed.object, { type: "Warning", reason: reach.state === "refused" ? "Refused" : "ClusterUnreachable", message });
    const fleet = new Fleet(hub, { open, attendAll: false, report: chronicle.failures("fleet"), trouble });
    const copies = new Copies(hub, ground);
    this.#desk = { hub: restrained(hub), copies, fleet, surroundings, identity, chronicle, ...(charts === undefined ? {} : { charts }) };
    this.#shards = new Shards(hub, {
      group: { namespace, name: group },
      identity,
      work: (key, signal) => fleet.attend(key, signal),
      report: (error, key) => monitor.log.say("warn", "shards failed", { error: String(error), ...(key === undefined ? {} : { key }) }),
    });
    chronicle.watch("fleet", fleet);
    this.#measure();
  }

  readonly runFleet: Work = async (signal) => {
    const listening = (async () => {
      for await (const { type } of this.#desk.fleet.events(signal)) if (type === "synced") this.#isSynced = true;
    })();
    await this.#desk.fleet.run(signal);
    await listening;
  };

  readonly runShards: Work = (signal) => shareOut(this.#desk.fleet, this.#shards, signal);

  /** What this replica does whether it leads or not, and that it wants to lead. */
  works(late: (name: string, error: unknown) => void): Readonly<Record<string, Work>> {
    const { hub, namespace, identity, monitor } = this.#options;
    const subject = { namespace, name: leaderLease, about: "the management cluster" };
    const waiting = (because: string) => monitor.log.say("info", "waits to lead", { because });
    const leading: Work = (signal) =>
      lead(hub, subject, { identity, signal, waiting }, async (term) => {
        this.#isLeader = true;
        monitor.log.say("info", "leads", { identity });
        try {
          await together(this.#ofDesk(this.#crew.leading), term, late);
        } finally {
          this.#isLeader = false;
          monitor.log.say("info", "leads no more", { identity });
        }
      });
    return { ...this.#ofDesk(this.#crew.everywhere), leader: leading };
  }

  #ofDesk(keepers: Controllers["leading"]): Readonly<Record<string, Work>> {
    const keeping = (keep: Controllers["leading"][string]) => (signal: AbortSignal) =>
      keep({ ...this.#desk, copies: this.#desk.copies.during(signal) }, signal);
    return Object.fromEntries(Object.entries(keepers).map(([name, keep]) => [name, keeping(keep)]));
  }

  #readiness(): Vitals {
    if (!this.#isSynced) return { well: false, because: "the clusters of the fleet are not known yet" };
    const missing = this.#desk.copies.incomplete();
    return missing.length === 0 ? { well: true } : { well: false, because: `not known yet: ${missing.join(", ")}` };
  }

  #measure(): void {
    const { monitor } = this.#options;
    monitor.readiness = () => this.#readiness();
    monitor.metrics.read("sluice_leader", () => [{ value: this.#isLeader ? 1 : 0 }]);
    monitor.metrics.read("sluice_clusters_owned", () => [{ value: this.#shards.owned().length }]);
    monitor.metrics.read("sluice_replicas", () => [{ value: this.#shards.members().length }]);
    monitor.metrics.read("sluice_clusters", () => {
      const states = this.#desk.fleet.clusters().map((cluster) => (isReady(cluster) ? "ready" : cluster.reach.state));
      return ["ready", "reached", "unreachable", "refused", "unknown"].map((state) => ({
        labels: { state },
        value: states.filter((each) => each === state).length,
      }));
    });
  }
}
