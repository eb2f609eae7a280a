import type {
  ClusterReportStatus,
  ClusterSummary,
  ClusterSummaryStatus,
  DeployedFeature,
  FeatureId,
  ManagedCluster,
  Ownership,
} from "../api/index.ts";
import type { Cluster } from "../../kube/index.ts";
import type { GroupVersionKind, KubeObject, ObjectRef } from "../../core/object/index.ts";
import type { Progress } from "../../release/index.ts";
import type { Environment } from "../../lang/sprig/index.ts";
import type { TaskRunner } from "../../worker/index.ts";
import type { ProfileRef } from "./tier-conflict.ts";
import type { ListClaimants } from "./hand-over.ts";
import type { ChartSource } from "./charts/chart-source.ts";
import type { ProfileRecordings } from "./profile-recordings.ts";

/** Reads an object of the management cluster that a profile refers to; undefined when it does not exist. */
export type ReadReference = (ref: ObjectRef, options: { readonly signal: AbortSignal }) => Promise<KubeObject | undefined>;

/** A tenant on whose word a profile is deployed. */
export type AddonTenant = {
  /** For messages: `ServiceAccount eng/alice`. */
  readonly title: string;
  /** The management cluster as the tenant. */
  readonly hub: Cluster;
  /** The managed cluster with the controller's own rights: to see whether something was deployed, and for nothing else. */
  readonly unimpersonated: Cluster;
  /** Whether an object that the controller has generated is of this tenant. */
  readonly owns: (object: KubeObject) => boolean;
};

/** The clusters and services that deploying a profile needs. */
export type AddonContext = {
  /** The management cluster: ConfigMaps and Secrets are read from it, and the ClusterSummary's status is written to it. */
  readonly hub: Cluster;
  /** Reads references, for example from a cache that tracks them. Default: reads the management cluster. */
  readonly readReference?: ReadReference;
  /** The managed cluster; for a tenant, as the tenant. */
  readonly cluster: Cluster;
  /** Who has asked for the profile. Default: those who run the platform. */
  readonly tenant?: AddonTenant;
  /** Which cluster that is, for the status: the uid of its namespace kube-system. Default: unknown. */
  readonly clusterUid?: string;
  /** Finds the other ClusterSummaries that want an object, for example in an index. Default: lists those of the cluster. */
  readonly claimants?: ListClaimants;
  /** Lists the ClusterSummaries for other names under which the same cluster is registered. Default: it has no other name. */
  readonly underOtherNames?: () => readonly KubeObject[];
  /** Objects of the profile that others want or have: their owner is read even when nothing is to be deployed. Default: none. */
  readonly contested?: readonly ObjectRef[];
  /** The same for Helm releases. Default: none. */
  readonly contestedReleases?: readonly { readonly name: string; readonly namespace: string }[];
  /** The clock and randomness that templates see. */
  readonly environment: Environment;
  /** Runs the templates and scripts of profiles elsewhere. Default: they run here. */
  readonly tasks?: TaskRunner;
  /** Fetches charts. Without it a profile with helmCharts fails. */
  readonly charts?: ChartSource;
  /** Records what is deployed, for `sluice timeline`. Default: nothing is recorded. */
  readonly recordings?: ProfileRecordings;
  /** Identifies this process in the Leases of Helm releases. */
  readonly identity: string;
};

/** A ClusterSummary and its cluster. */
export type AddonRequest = {
  /** As the management cluster has it, with its status. */
  readonly summary: KubeObject;
  /** The cluster that it is for. */
  readonly cluster: ManagedCluster;
  /** The `dependencies` of its status. Default: they stay as they are. */
  readonly dependencies?: string;
};

/** A ClusterSummary as it was read, with its cluster and the profile that owns it. */
export type ClusterSummaryScope = {
  readonly summary: ClusterSummary;
  readonly cluster: ManagedCluster;
  readonly owner: Ownership["owner"] & { readonly uid: string };
};

/** The outcome of a deploy, a withdrawal or a repair. The status of the ClusterSummary is written; the caller writes the rest. */
export type AddonOutcome = {
  /** The ClusterSummary as it was last written. */
  readonly summary: KubeObject;
  readonly status: ClusterSummaryStatus;
  /** All features are Provisioned or, after a withdrawal, gone. */
  readonly settled: boolean;
  /** It has failed, and a retry cannot help before something changes. */
  readonly final: boolean;
  /** The profile's part of the ClusterConfiguration, as far as it is known. */
  readonly features: readonly DeployedFeature[];
  /** The features whose part of the ClusterConfiguration stays as it is: nobody has looked at what is deployed of them. */
  readonly keptFeatures: readonly FeatureId[];
  /** Profiles that have lost objects to this one. Their ClusterSummaries have to be reset and reconciled. */
  readonly displaced: readonly ProfileRef[];
  /** Kinds that it has failed for because the cluster does not serve them. A retry can help once it does. */
  readonly unserved: readonly GroupVersionKind[];
  /** The status of the ClusterReport; for DryRun only. */
  readonly report: ClusterReportStatus | undefined;
};

/** The progress of each feature, and at the end the outcome. */
export type AddonProgress =
  | { readonly type: "progress"; readonly feature: FeatureId; readonly event: Progress }
  | { readonly type: "settled"; readonly outcome: AddonOutcome };

export type AddonOptions = {
  /** Stops at any point; the next call continues. */
  readonly signal: AbortSignal;
  /** The time after which unfinished steps fail. Default: none. */
  readonly timeoutMs?: number;
};
