import { Fault } from "../../core/fault/index.ts";
import type { Clock } from "../../core/clock/index.ts";
import { backoffMs } from "../../reconcile/index.ts";
import type { ClusterConnection, Reachability } from "./fleet-cluster.ts";
import type { FoundKubeconfig } from "./kubeconfig-secret.ts";
import type { OpenKubeconfig, ClusterHandle } from "./open-kubeconfig.ts";
import { probe } from "./probe.ts";

/** How often a cluster that is well is asked whether it still is, and how soon one that is not. */
const probeIntervalMs = 60_000;
const retry = { firstMs: 1_000, mostMs: 60_000 };

export type ClusterConnectorOptions = { readonly open: OpenKubeconfig; readonly clock: Clock; readonly random: () => number };

/** The way to one cluster: opened when it is first wanted, opened anew when its kubeconfig changes, and asked now and then. */
export class ClusterConnector {
  readonly #title: string;
  readonly #options: ClusterConnectorOptions;
  #kubeconfig: FoundKubeconfig | undefined;
  #opened: ClusterHandle | undefined;
  #closing: AbortController | undefined;
  #dueAt = 0;
  #attempts = 0;
  #failingSince = 0;
  reachability: Reachability = { state: "unknown" };
  connection: ClusterConnection | undefined;

  constructor(about: string, options: ClusterConnectorOptions) {
    this.#title = about;
    this.#options = options;
  }

  /** How long until it should be looked after again. */
  get dueInMs(): number {
    return Math.max(0, this.#dueAt - this.#options.clock.now());
  }

  /** Somebody has had trouble with it: the next look asks, whenever that was due. */
  forceProbe(): void {
    this.#dueAt = 0;
  }

  close(because: string): void {
    this.#closing?.abort(new Fault(`the connection to ${this.#title} is closed: ${because}`));
    this.#opened?.close();
    this.#opened = undefined;
    this.#closing = undefined;
    this.#kubeconfig = undefined;
    this.#attempts = 0;
    this.#dueAt = 0;
    this.connection = undefined;
    this.reachability = { state: "unknown" };
  }

  /** Looks after it if that is due, or its kubeconfig is another one. Never throws but what the signal says. */
  async probeIfDue(kubeconfig: FoundKubeconfig, signal: AbortSignal): Promise<void> {
    if (!isSame(kubeconfig, this.#kubeconfig)) {
      this.close("its kubeconfig has changed");
      this.#kubeconfig = kubeconfig;
    }
    if (this.dueInMs > 0) return;
    try {
      const version = await this.#connectAndProbe(kubeconfig, signal);
      this.#attempts = 0;
      this.reachability = { state: "reached", version };
      this.#dueAt = this.#options.clock.now() + Math.round(probeIntervalMs * (0.75 + this.#options.random() / 2));
    } catch (error) {
      signal.throwIfAborted();
      this.#recordFailure(error instanceof Error ? error.message : String(error));
    }
  }

  /**
   * Tries again soon, but counts as Sveltos does, which looks once a minute: whoever says how many failures make a
   * cluster Down means minutes, and a restart of an API server is none of them.
   */
  #recordFailure(because: string): void {
    const now = this.#options.clock.now();
    if (this.#attempts++ === 0) this.#failingSince = now;
    this.reachability = { state: "unreachable", because, failures: 1 + Math.floor((now - this.#failingSince) / probeIntervalMs) };
    this.#dueAt = now + backoffMs(this.#attempts, this.#options.random, retry);
  }

  async #connectAndProbe(kubeconfig: FoundKubeconfig, signal: AbortSignal): Promise<string> {
    if ("because" in kubeconfig) throw new Fault(kubeconfig.because);
    if (this.#opened === undefined) {
      const opened = await this.#options.open(kubeconfig.text, this.#title);
      if (signal.aborted) opened.close();
      signal.throwIfAborted();
      this.#opened = opened;
      this.#closing = new AbortController();
      this.connection = { cluster: opened.cluster, signal: this.#closing.signal };
    }
    return probe(this.#opened.cluster, signal);
  }
}

function isSame(one: FoundKubeconfig, other: FoundKubeconfig | undefined): boolean {
  return other !== undefined && JSON.stringify(one) === JSON.stringify(other);
}
