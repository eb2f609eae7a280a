import type { Cancel } from "../../../core/clock/index.ts";
import type { Fault } from "../../../core/fault/index.ts";
import { sveltosNamespace } from "../../api/index.ts";
import { isForbidden, type InformerEvent, type Cluster } from "../../../kube/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { leaseDurationOf, holderOf, leaseDurationMs, leaseKind, type LeaseLock } from "../../../reconcile/index.ts";
import { RetryingInformer } from "./retrying-informer.ts";

/** The Lease by which agents elect a leader, and by which controllers see that the cluster has an agent. */
export const agentLease: LeaseLock = { namespace: sveltosNamespace, name: "sluice-agent", about: "the events of this cluster" };

/** Whether an agent evaluates the events of a cluster. `silent`: there is one, and its Lease has expired. */
type AgentState = "unknown" | "absent" | "present" | "silent";

/** Watches the Lease of a cluster's agent until the signal aborts. */
export class AgentLeaseWatcher {
  readonly #cluster: Cluster;
  readonly #changed: () => void;
  #state: AgentState = "unknown";
  #expiry: Cancel = () => {};

  constructor(cluster: Cluster, changed: () => void, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#changed = changed;
    const { namespace, name } = agentLease;
    const selection = { namespace, fieldSelector: `metadata.name=${name}` };
    const leases = new RetryingInformer(
      cluster,
      leaseKind,
      selection,
      (change) => this.#handle(change, () => leases.store.find(namespace, name)),
      signal,
    );
    signal.addEventListener("abort", () => this.#expiry(), { once: true });
  }

  get state(): AgentState {
    return this.#state;
  }

  #handle(change: InformerEvent, lease: () => KubeObject | undefined): void {
    if (change.type === "interrupted") this.#interrupted(change.because);
    else if (change.type === "synced" || this.#state !== "unknown") this.#update(lease());
  }

  /** Without the right to watch the Lease the cluster counts as one without an agent. */
  #interrupted(because: Fault): void {
    if (this.#state === "unknown" && isForbidden(because)) this.#set("absent");
  }

  #update(lease: KubeObject | undefined): void {
    this.#expiry();
    const isHeld = lease !== undefined && holderOf(lease) !== "";
    // During a handover the Lease has no holder for a while, and the state stays.
    if (!isHeld && this.#hasAgent) this.#after(leaseDurationMs, "absent");
    else if (!isHeld) this.#set("absent");
    else {
      this.#set("present");
      this.#after(leaseDurationOf(lease), "silent");
    }
  }

  get #hasAgent(): boolean {
    return this.#state === "present" || this.#state === "silent";
  }

  #after(ms: number, state: AgentState): void {
    this.#expiry = this.#cluster.clock.after(ms, () => this.#set(state), { background: true });
  }

  #set(state: AgentState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#changed();
  }
}
