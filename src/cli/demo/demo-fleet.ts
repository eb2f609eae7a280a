import type { Clock } from "../../core/clock/index.ts";
import { requireCrds, runControllers } from "../../sveltos/controllers/index.ts";
import { Monitor } from "../../sveltos/telemetry/index.ts";
import { BadInput, Fault } from "../../core/fault/index.ts";
import { embeddedKubeconfig, inProcessOpener, register, type OpenKubeconfig } from "../../sveltos/fleet/index.ts";
import { connect, type Cluster } from "../../kube/index.ts";
import { parseBehaviour, startEmbeddedCluster } from "../../embedded/index.ts";
import { templateEnvironment } from "../chart/chart-request.ts";
import { processIdentity } from "../process-identity.ts";

type DemoFleetOptions = {
  readonly clock: Clock;
  /** Returns numbers from 0 up to, but not including, 1. Generated names come from it. */
  readonly random: () => number;
  /** The managed clusters' names. */
  readonly names: readonly string[];
  /** The labels of all managed clusters. */
  readonly labels: Readonly<Record<string, string>>;
  /** How their pods behave, as rules (docs/embedded-cluster.md). */
  readonly behaviour: readonly object[];
};

/** The namespaces of the registered clusters and of the controller's Leases. */
const clusterNamespace = "default";
const leaseNamespace = "projectsveltos";

/** A management cluster and managed clusters, all embedded in this process. */
export class DemoFleet {
  readonly hub: Cluster;
  readonly managed: ReadonlyMap<string, Cluster>;
  /** Opens the managed clusters by the kubeconfigs that they are registered with. */
  readonly openManaged: OpenKubeconfig = inProcessOpener((name) => this.managed.get(name));
  readonly #options: DemoFleetOptions;
  readonly #stops: (() => void)[] = [];

  constructor(options: DemoFleetOptions) {
    this.#options = options;
    this.hub = this.#start(0);
    this.managed = new Map(options.names.map((name, index) => [name, this.#start(index + 1)]));
  }

  /** Installs the CRDs in the management cluster and registers the managed clusters. */
  async prepare(signal: AbortSignal): Promise<void> {
    const { names, labels } = this.#options;
    await requireCrds(this.hub, true, signal);
    for (const name of names) {
      await register(this.hub, { namespace: clusterNamespace, name, kubeconfig: embeddedKubeconfig(name), labels }, signal);
    }
  }

  /** Runs the controller while `work` runs. If the controller fails, the signal of `work` aborts with the reason. */
  async withController(signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const stop = new AbortController();
    const both = AbortSignal.any([signal, stop.signal]);
    const controlling = this.#control(both);
    controlling.catch((error: unknown) => stop.abort(error));
    try {
      await work(both);
    } finally {
      stop.abort(new Fault("the demo is over"));
      await controlling.catch(() => undefined); // its failure has aborted the work
    }
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  /** Runs the controller as `sluice controller` does, without its log. */
  #control(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const options = {
      hub: this.hub,
      namespace: leaseNamespace,
      identity: processIdentity("demo"),
      open: this.openManaged,
      environment: templateEnvironment(clock),
      monitor: new Monitor({ clock, write: () => {} }),
    };
    return runControllers(options, signal);
  }

  #start(seed: number): Cluster {
    const { clock, random, behaviour: rules } = this.#options;
    const { behaviour, problems } = parseBehaviour(rules);
    if (problems.length > 0) throw new BadInput(problems);
    const { exchange, stop } = startEmbeddedCluster({ clock, seed: seed + 1, behaviour });
    this.#stops.push(stop);
    return connect(exchange, { clock, random });
  }
}
