import type { Cancel } from "../../../core/clock/index.ts";
import type { Fault } from "../../../core/fault/index.ts";
import { sveltosNamespace } from "../../api/index.ts";
import { isForbidden, type InformerEvent, type Cluster } from "../../../kube/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { leaseDurationOf, holderOf, leaseDurationMs, leaseKind, renewTimeOf, type LeaseLock } from "../../../reconcile/index.ts";
import { RetryingInformer } from "./retrying-informer.ts";

/** The Lease by which agents elect a leader, and by which controllers see that the cluster has an agent. */
export const agentLease: LeaseLock = { namespace: sveltosNamespace, name: "sluice-agent", about: "the events of this cluster" };

/** Whether an agent evaluates the events of a cluster. `gone`: it holds its Lease and has not renewed it in time. */
type AgentState = "unknown" | "absent" | "present" | "gone";

export type AgentLeaseHandlers = {
  /** Called when the state has changed. */
  readonly changed: () => void;
  /** Called when the cluster does not answer. */
  readonly interrupted: () => void;
};

/** Watches the Lease of a cluster's agent until the signal aborts. */
export class AgentLeaseWatcher {
  readonly #cluster: Cluster;
  readonly #handlers: AgentLeaseHandlers;
  readonly #signal: AbortSignal;
  #state: AgentState = "unknown";
  /** The Lease as it was last seen, and when it changed, by the clock of this process. */
  #seen: { readonly lease: KubeObject; readonly atMs: number } | undefined;
  #expiry: Cancel = () => {};
  #isSynced = false;

  constructor(cluster: Cluster, handlers: AgentLeaseHandlers, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#handlers = handlers;
    this.#signal = signal;
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

  /** When the agent that is gone renewed its Lease for the last time, as far as is known. */
  get lastSeenMs(): number {
    if (this.#seen === undefined) return this.#cluster.clock.now();
    const { lease, atMs } = this.#seen;
    const renewed = Date.parse(renewTimeOf(lease));
    return Number.isNaN(renewed) ? atMs : Math.min(renewed, atMs);
  }

  #handle(change: InformerEvent, lease: () => KubeObject | undefined): void {
    if (change.type === "interrupted") this.#interrupted(change.because);
    else if (change.type === "synced" || this.#isSynced) this.#update(lease());
  }

  /** Without the right to watch the Lease the cluster counts as one without an agent. */
  #interrupted(because: Fault): void {
    if (!isForbidden(because)) this.#handlers.interrupted();
    else if (this.#state === "unknown") this.#set("absent");
  }

  #update(lease: KubeObject | undefined): void {
    this.#isSynced = true;
    const isHeld = lease !== undefined && holderOf(lease) !== "";
    // A list that repeats a known Lease is no renewal.
    if (isHeld && isSameVersion(lease, this.#seen?.lease)) return;
    this.#expiry();
    if (isHeld) return this.#renewed(lease);
    this.#seen = undefined;
    // During a handover the Lease has no holder for a while, and the state stays.
    if (this.#state === "present") this.#after(leaseDurationMs, () => this.#set("absent"));
    else this.#set("absent");
  }

  #renewed(lease: KubeObject): void {
    const now = this.#cluster.clock.now();
    const isFirst = this.#state === "unknown" && this.#seen === undefined;
    this.#seen = { lease, atMs: now };
    const age = now - Date.parse(renewTimeOf(lease));
    // An old Lease that is found at the start may be that of an agent that died: its next renewal shows that it did not.
    if (!isFirst || !(age > leaseDurationOf(lease))) this.#set("present");
    this.#after(leaseDurationOf(lease), () => void this.#expire());
  }

  /** Reads the Lease before it counts as expired: its renewals may only not have arrived. */
  async #expire(): Promise<void> {
    const seen = this.#seen?.lease;
    if (seen === undefined) return;
    const { namespace, name } = agentLease;
    try {
      const live = await this.#cluster.find({ ...leaseKind, namespace, name }, { signal: this.#signal });
      // The informer was faster.
      if (this.#seen?.lease !== seen) return;
      if (isSameVersion(seen, live)) this.#set("gone");
      else this.#update(live);
    } catch {
      // A cluster that does not answer says nothing of its agent.
      if (!this.#signal.aborted && this.#seen?.lease === seen) this.#after(leaseDurationOf(seen), () => void this.#expire());
    }
  }

  #after(ms: number, then: () => void): void {
    this.#expiry = this.#cluster.clock.after(ms, then, { background: true });
  }

  #set(state: AgentState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#handlers.changed();
  }
}

function isSameVersion(one: KubeObject, other: KubeObject | undefined): boolean {
  return one.metadata.resourceVersion === other?.metadata.resourceVersion;
}
