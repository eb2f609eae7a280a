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
import type { ProfileRef } from "./tier-conflict.ts";
import type { ChartSource } from "./charts/chart-source.ts";

/** Reads an object of the management cluster that a profile refers to; undefined when it is not there. */
export type ReadReference = (ref: ObjectRef, options: { readonly signal: AbortSignal }) => Promise<KubeObject | undefined>;

/** Where a profile is deployed, and what deploying it needs of the world. */
export type AddonContext = {
  /** The management cluster: ConfigMaps and Secrets are read there, and the ClusterSummary's status is written. */
  readonly hub: Cluster;
  /** How references are read: by whoever has copies, and wants to know what was asked for. Default: the management cluster is asked. */
  readonly readReference?: ReadReference;
  /** The managed cluster. */
  readonly cluster: Cluster;
  /** Time and chance, for templates. */
  readonly environment: Environment;
  /** Fetches charts. Without it a profile with helmCharts fails, and says so. */
  readonly charts?: ChartSource;
  /** Who deploys, for the Leases of Helm releases: different for every process. */
  readonly identity: string;
};

/** What is deployed, and where. */
export type AddonRequest = {
  /** The ClusterSummary as it is in the management cluster, with its status. */
  readonly summary: KubeObject;
  /** The cluster that it is for. */
  readonly cluster: ManagedCluster;
  /** What its status says of the profiles that it depends on. Default: what it says already. */
  readonly dependencies?: string;
};

/** A ClusterSummary that has been read, with the profile that it belongs to. */
export type ClusterSummaryScope = {
  readonly summary: ClusterSummary;
  readonly cluster: ManagedCluster;
  readonly owner: Ownership["owner"] & { readonly uid: string };
};

/** What a use case has come to. The ClusterSummary has been written by then; the rest is for its caller to write. */
export type AddonOutcome = {
  /** The ClusterSummary as it was last written. */
  readonly summary: KubeObject;
  readonly status: ClusterSummaryStatus;
  /** All features are as they should be: Provisioned, or, after a withdrawal, gone. */
  readonly settled: boolean;
  /** It has failed, and trying again cannot help before something changes. */
  readonly final: boolean;
  /** The profile's part of the ClusterConfiguration; undefined where it stays what it is. */
  readonly features: readonly DeployedFeature[] | undefined;
  /** Profiles that have lost objects to this one: theirs have to be looked at again, after `reset`. */
  readonly displaced: readonly ProfileRef[];
  /** Kinds that the cluster does not serve, by which it has failed: once it does, trying again can help. */
  readonly unserved: readonly GroupVersionKind[];
  /** The status of the ClusterReport; of DryRun only. */
  readonly report: ClusterReportStatus | undefined;
};

/** What is told on the way: the story of each feature, and at last what it has come to. */
export type AddonProgress =
  | { readonly type: "progress"; readonly feature: FeatureId; readonly event: Progress }
  | { readonly type: "settled"; readonly outcome: AddonOutcome };

export type AddonOptions = {
  /** Stops everything where it is; the next call carries on. */
  readonly signal: AbortSignal;
  /** After how long whatever is not done counts as failed. Default: never. */
  readonly timeoutMs?: number;
};
