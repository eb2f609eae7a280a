import type { CellState, FleetClusterItem } from "./fleet-items.ts";
import type { ObjectEvent } from "./requests.ts";

/** What is known of the cluster itself, at `head`. */
export type ClusterHeadItem = Omit<FleetClusterItem, "type" | "key"> & {
  readonly type: "head";
  /** `Healthy` or `Down`; absent before the first probe, and for every Cluster of Cluster API. */
  readonly connection?: string;
  /** `running`, or that it is gone; absent without one. */
  readonly agent?: string;
  readonly registeredAtMs?: number;
  /** Since when it is down. */
  readonly downSinceMs?: number;
  readonly isDeleting: boolean;
};

/** A profile, or what its name is where it may not be read. A ClusterProfile has no namespace. */
export type ProfileName = { readonly kind: "ClusterProfile" | "Profile"; readonly namespace: string; readonly name: string };

/** A part of a profile in a cluster: its charts, its resources or its kustomizations. */
export type FeatureOutline = {
  /** Sveltos' name of it: `Helm`, `Resources` or `Kustomize`. */
  readonly id: string;
  /** Sveltos' word for how it is; empty when nothing has been done yet. */
  readonly status: string;
  readonly state: CellState;
  readonly message?: string;
  readonly appliedAtMs?: number;
  readonly consecutiveFailures?: number;
};

/** A Helm release of a profile. */
export type ReleaseOutline = {
  readonly namespace: string;
  readonly name: string;
  readonly chart?: string;
  readonly version?: string;
  readonly state: CellState;
  readonly message?: string;
};

/** A profile in a cluster, at `deployment/PROFILE KEY`. */
export type DeploymentItem = {
  readonly type: "deployment";
  readonly profile: ProfileName;
  /** The EventTrigger that has generated the profile. */
  readonly trigger?: string;
  /** Absent while there is none: the profile waits for its turn. */
  readonly summary?: { readonly namespace: string; readonly name: string };
  readonly state: CellState;
  readonly reason?: string;
  readonly syncMode: string;
  /** What it says of the profiles that it depends on. */
  readonly dependencies?: string;
  readonly features: readonly FeatureOutline[];
  readonly releases: readonly ReleaseOutline[];
  /** The uid of the namespace kube-system of the managed cluster. */
  readonly clusterUid?: string;
};

/** An object that profiles have deployed, at `object/…`. */
export type DeployedObjectItem = {
  readonly type: "object";
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly profiles: readonly ProfileName[];
  /** In the managed cluster, or for its sake in the management cluster. */
  readonly location: "Remote" | "Local";
  readonly release?: { readonly namespace: string; readonly name: string };
  /** `listed`: its cluster has not been asked yet. */
  readonly health: "ready" | "progressing" | "failed" | "missing" | "unknown" | "listed";
  readonly message?: string;
};

/** What a profile in DryRun mode would change, at `change/…`. */
export type DryRunChangeItem = {
  readonly type: "change";
  readonly profile: ProfileName;
  /** `Create`, `Update`, `Delete`, `Install`, `Upgrade`, `Conflict`. */
  readonly action: string;
  /** `Deployment shop/web`, or `release shop/web`. */
  readonly title: string;
  /** A reason, or for an update the diff. */
  readonly message?: string;
};

/** An Event about the cluster or one of its ClusterSummaries, or about a profile, at `event/…`. */
export type FleetEventItem = Omit<ObjectEvent, "type"> & { readonly type: "event"; readonly severity: string };

/** All items of a cluster's page. */
export type ClusterItem = ClusterHeadItem | DeploymentItem | DeployedObjectItem | DryRunChangeItem | FleetEventItem;

/** One cell of the matrix: the answer of `/api/c/CONTEXT/cell`. A trigger may have several profiles in a cluster. */
export type CellDetail = { readonly deployments: readonly DeploymentItem[] };

/** Which cluster a context leads to: the answer of `/api/c/CONTEXT/identity`. Absent when it does not say so. */
export type ClusterIdentityAnswer = { readonly uid?: string };
