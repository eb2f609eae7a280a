import type { ManagedCluster } from "../api/index.ts";
import type { Cluster } from "../../kube/index.ts";

/** A connection to a cluster. The signal aborts when it is closed: the cluster is gone, is not ours any more, or its kubeconfig has changed. */
export type ClusterConnection = { readonly cluster: Cluster; readonly signal: AbortSignal };

/** How we get on with a cluster. */
export type Reachability =
  /** Nobody here has tried. */
  | { readonly state: "unknown" }
  | { readonly state: "reached"; readonly version: string }
  /** Cannot be reached for now, since so many minutes, begun ones too. It is tried again, and as soon as its Secret changes. */
  | { readonly state: "unreachable"; readonly because: string; readonly failures: number }
  /** Its object is not one that we can work for, until it changes. */
  | { readonly state: "refused"; readonly because: string };

/** A cluster of the fleet, as it is known at one moment. */
export type FleetCluster = {
  /** See `clusterKey`. */
  readonly key: string;
  /** What its object says: labels, ready, paused, … */
  readonly managed: ManagedCluster;
  readonly reachability: Reachability;
  /** The way to it, once it was opened. It stays while the cluster is unreachable: what watches goes on by itself. */
  readonly connection: ClusterConnection | undefined;
};

/** Add-ons may be deployed to it, from here, now: its object says that it is ready, and we reach it. */
export function isClusterReady({ managed, reachability, connection }: FleetCluster): boolean {
  return managed.ready && reachability.state === "reached" && connection !== undefined;
}

/**
 * News about a cluster. `ready` comes whenever it has become ready or has another link; `lost` when it no longer is,
 * with the reason; `changed` when what its object says has changed (labels, ready, down, paused, spec).
 */
export type FleetEvent =
  | { readonly type: "added" | "ready" | "changed" | "gone"; readonly cluster: FleetCluster }
  | { readonly type: "lost"; readonly cluster: FleetCluster; readonly because: string }
  /** All clusters that were there at the beginning have been told of. */
  | { readonly type: "synced" };

/** Why a cluster is not ready, in words. */
export function notReadyReason({ managed, reachability }: FleetCluster): string {
  if (managed.deleting) return "it is being deleted";
  if (reachability.state === "unreachable" || reachability.state === "refused") return reachability.because;
  if (!managed.ready)
    return managed.type === "Capi" ? "its control plane is not initialized yet" : "its status does not say that it is ready";
  return "it has not been reached yet";
}
