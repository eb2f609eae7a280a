import type { ManagedCluster } from "../api/index.ts";
import type { Cluster } from "../../kube/index.ts";

/**
 * A connection to a cluster. The signal aborts when the connection is closed: the cluster is gone, belongs to another
 * replica, or has another kubeconfig.
 */
export type ClusterConnection = { readonly cluster: Cluster; readonly signal: AbortSignal };

/** Whether a cluster can be reached. */
export type Reachability =
  /** Not probed yet. */
  | { readonly state: "unknown" }
  /** `uid`: which cluster answers, by the uid of its namespace kube-system; undefined when it does not say. */
  | { readonly state: "reached"; readonly version: string; readonly uid: string | undefined }
  /** The last probes failed. `failures` counts them in steps of 10 s since the first one. A change of the Secret retries at once. */
  | { readonly state: "unreachable"; readonly because: string; readonly failures: number }
  /** The cluster's object is invalid or uses fields that are not built. */
  | { readonly state: "refused"; readonly because: string };

/** A snapshot of one cluster of the fleet. */
export type FleetCluster = {
  /** See `clusterKey`. */
  readonly key: string;
  /** The cluster's object as it was read: labels, ready, paused, … */
  readonly managed: ManagedCluster;
  readonly reachability: Reachability;
  /** Undefined until the first probe. It stays open while the cluster is unreachable: watches resume by themselves. */
  readonly connection: ClusterConnection | undefined;
};

/** Whether this replica may deploy add-ons to the cluster now: its object is ready and its last probe succeeded. */
export function isClusterReady({ managed, reachability, connection }: FleetCluster): boolean {
  return managed.ready && reachability.state === "reached" && connection !== undefined;
}

/** Which cluster answers, as far as it is known. */
export function clusterUidOf({ reachability }: FleetCluster): string | undefined {
  return reachability.state === "reached" ? reachability.uid : undefined;
}

/**
 * A change of one cluster. `ready`: it has become ready, has another connection or another uid. `lost`: it is no longer ready.
 * `changed`: its labels, annotations, spec, readiness or pause have changed.
 */
export type FleetEvent =
  | { readonly type: "added" | "ready" | "changed" | "gone"; readonly cluster: FleetCluster }
  | { readonly type: "lost"; readonly cluster: FleetCluster; readonly because: string }
  /** The initial list is complete, as in an informer. */
  | { readonly type: "synced" };

/** Why a cluster is not ready, for a message. */
export function notReadyReason({ managed, reachability }: FleetCluster): string {
  if (managed.deleting) return "it is being deleted";
  if (reachability.state === "unreachable" || reachability.state === "refused") return reachability.because;
  if (!managed.ready)
    return managed.type === "Capi" ? "its control plane is not initialized yet" : "its status does not say that it is ready";
  return "it has not been reached yet";
}
