import type { Cancel } from "../../clock/index.ts";
import { sveltosNamespace } from "../../api/index.ts";
import { inform, isForbidden, type Cluster } from "../../kube/index.ts";
import type { KubeObject } from "../../object/index.ts";
import { durationOf, holderOf, leaseKind, type LeaseSubject } from "../../reconcile/index.ts";

/** The Lease by which agents agree on who works, and by which everybody sees that there is one. */
export const agentLease: LeaseSubject = { namespace: sveltosNamespace, name: "sluice-agent", about: "the events of this cluster" };

/** Whether an agent evaluates the events of a cluster. `silent`: there is one, and it has not been heard of for too long. */
export type AgentState = "unknown" | "absent" | "present" | "silent";

/** Follows the Lease of a cluster's agent until the signal aborts. */
export class AgentLease {
  readonly #cluster: Cluster;
  readonly #changed: () => void;
  #state: AgentState = "unknown";
  #since = 0;
  #expiry: Cancel = () => {};

  constructor(cluster: Cluster, changed: () => void, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#changed = changed;
    void this.#follow(signal);
  }

  get state(): AgentState {
    return this.#state;
  }

  /** Since when that is so, by our clock. */
  get since(): number {
    return this.#since;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { namespace, name } = agentLease;
    const leases = inform(this.#cluster, leaseKind, { namespace, fieldSelector: `metadata.name=${name}`, signal });
    try {
      for await (const change of leases) {
        if (change.type === "synced") this.#see(leases.store.find(namespace, name));
        // Who may not even look for an agent has not been told that there is one.
        else if (change.type === "interrupted") this.#see(undefined, this.#state === "unknown" && !isForbidden(change.because));
        else if (this.#state !== "unknown") this.#see(leases.store.find(namespace, name));
      }
    } finally {
      this.#expiry();
    }
  }

  #see(lease: KubeObject | undefined, isUnclear = false): void {
    if (isUnclear) return;
    this.#expiry();
    if (lease === undefined || holderOf(lease) === "") return this.#become("absent");
    const { clock } = this.#cluster;
    this.#expiry = clock.after(durationOf(lease), () => this.#become("silent"), { background: true });
    this.#become("present");
  }

  #become(state: AgentState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#since = this.#cluster.clock.now();
    this.#changed();
  }
}
