import { backoffMs, WriteGate, type Cluster } from "../../kube/index.ts";
import { Fault } from "../../core/fault/index.ts";
import type { Clock } from "../../core/clock/index.ts";
import type { ClusterConnection, Reachability } from "./fleet-cluster.ts";
import type { FoundKubeconfig } from "./kubeconfig-secret.ts";
import type { OpenKubeconfig, ClusterHandle } from "./open-kubeconfig.ts";
import { probe, readClusterIdentity } from "./probe.ts";

/** The interval between probes of a reachable cluster. */
const probeIntervalMs = 30_000;
/** One that is not reachable is probed this often, so that it is back within 5 s of its first answer. */
const retry = { firstMs: 1_000, maxMs: 4_000 };
/** Failures are counted in steps of this length: a threshold of 3 makes a cluster Down 20 s after the first failed probe. */
const failureStepMs = 10_000;

type ClusterConnectorOptions = {
  readonly open: OpenKubeconfig;
  readonly clock: Clock;
  readonly random: () => number;
  /** Whether this replica owns the cluster right now: asked before every write to it. */
  readonly isOwned: () => boolean;
};

/**
 * The connection to one cluster: opened by the first probe, probed at intervals, and reopened when the kubeconfig changes or
 * another cluster answers at its address.
 */
export class ClusterConnector {
  readonly #title: string;
  readonly #options: ClusterConnectorOptions;
  #kubeconfig: FoundKubeconfig | undefined;
  #opened: ClusterHandle | undefined;
  /** Every connection to the cluster writes through it. */
  readonly #writeGate = new WriteGate(() => this.#assertOwned());
  #closing: AbortController | undefined;
  #dueAt = 0;
  #attempts = 0;
  #failingSince = 0;
  #failuresBefore = 0;
  #lastFailure = "";
  #uid: string | undefined;
  #isUidWithheld = false;
  reachability: Reachability = { state: "unknown" };
  connection: ClusterConnection | undefined;

  constructor(title: string, options: ClusterConnectorOptions) {
    this.#title = title;
    this.#options = options;
  }

  /** How long until the next probe is due. */
  get dueInMs(): number {
    return Math.max(0, this.#dueAt - this.#options.clock.now());
  }

  /** Makes the next probe due at once, because a request to the cluster has failed. */
  forceProbe(): void {
    this.#dueAt = 0;
  }

  /** Ends all work on the cluster at once. Resolves when the last write that was sent to it has arrived or failed. */
  close(because: string): Promise<void> {
    this.#closing?.abort(new Fault(`the connection to ${this.#title} is closed: ${because}`));
    const opened = this.#opened;
    this.#opened = undefined;
    this.#closing = undefined;
    this.#kubeconfig = undefined;
    this.#attempts = 0;
    this.#dueAt = 0;
    this.#uid = undefined;
    this.#isUidWithheld = false;
    this.connection = undefined;
    this.reachability = { state: "unknown" };
    return this.#writeGate.settled().finally(() => opened?.close());
  }

  /**
   * Probes the cluster if that is due or its kubeconfig has changed. Throws nothing but the signal's reason.
   * `failuresBefore`: the failures in a row that another replica has counted.
   */
  async probeIfDue(kubeconfig: FoundKubeconfig, failuresBefore: number, signal: AbortSignal): Promise<void> {
    if (!isSame(kubeconfig, this.#kubeconfig)) {
      void this.close("its kubeconfig has changed");
      this.#kubeconfig = kubeconfig;
    }
    if (this.dueInMs > 0) return;
    try {
      const version = await this.#connectAndProbe(kubeconfig, signal);
      this.#attempts = 0;
      this.reachability = { state: "reached", version, uid: this.#uid };
      this.#dueAt = this.#options.clock.now() + Math.round(probeIntervalMs * (0.75 + this.#options.random() / 2));
    } catch (error) {
      signal.throwIfAborted();
      this.#recordFailure(error instanceof Error ? error.message : String(error), failuresBefore);
    }
  }

  /** Counts failures by time and not by probes, whose number depends on how fast each of them fails. */
  #recordFailure(because: string, failuresBefore: number): void {
    const now = this.#options.clock.now();
    if (this.#attempts++ === 0) {
      this.#failingSince = now;
      this.#failuresBefore = failuresBefore;
    }
    const failures = this.#failuresBefore + 1 + Math.floor((now - this.#failingSince) / failureStepMs);
    // One cluster that is down may fail in two ways by turns. What it says changes when a probe confirms it.
    const known = this.reachability.state === "unreachable" && because !== this.#lastFailure ? this.reachability.because : because;
    this.#lastFailure = because;
    this.reachability = { state: "unreachable", because: known, failures };
    this.#dueAt = now + backoffMs(this.#attempts, this.#options.random, retry);
  }

  /**
   * A process that was suspended goes on before its timers tell it that another replica has the cluster now. The connection
   * counts as closed from then on, so that the end of the work is not taken for its failure.
   */
  #assertOwned(): void {
    if (this.#options.isOwned()) return;
    const lost = new Fault(`nothing is written to ${this.#title} any more: this replica has not renewed its Lease in time`);
    this.#closing?.abort(lost);
    throw lost;
  }

  async #connectAndProbe(kubeconfig: FoundKubeconfig, signal: AbortSignal): Promise<string> {
    if ("because" in kubeconfig) throw new Fault(kubeconfig.because);
    if (this.#opened === undefined) {
      const opened = await this.#options.open(kubeconfig.text, this.#title, this.#writeGate);
      if (signal.aborted) opened.close();
      signal.throwIfAborted();
      this.#opened = opened;
      this.#closing = new AbortController();
      this.connection = { cluster: opened.cluster, signal: this.#closing.signal };
    }
    const { cluster } = this.#opened;
    const [version, uid] = await Promise.all([probe(cluster, signal), this.#readUid(cluster, signal)]);
    if (uid !== undefined && this.#uid !== undefined && uid !== this.#uid) {
      // Its watches, and what was discovered of it, are of the cluster that was there before.
      void this.close("another cluster answers at its address");
      this.#kubeconfig = kubeconfig;
      return this.#connectAndProbe(kubeconfig, signal);
    }
    this.#uid = uid ?? this.#uid;
    return version;
  }

  /** Read with every probe, since another cluster may answer at the same address. Undefined: unknown, as before it was read. */
  async #readUid(cluster: Cluster, signal: AbortSignal): Promise<string | undefined> {
    if (this.#isUidWithheld) return undefined;
    const identity = await readClusterIdentity(cluster, signal);
    this.#isUidWithheld = identity.state === "withheld";
    return identity.state === "read" ? identity.uid : undefined;
  }
}

function isSame(one: FoundKubeconfig, other: FoundKubeconfig | undefined): boolean {
  return other !== undefined && JSON.stringify(one) === JSON.stringify(other);
}
