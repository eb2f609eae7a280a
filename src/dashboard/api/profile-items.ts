import type { ProfileName } from "./cluster-items.ts";
import type { CellState } from "./fleet-items.ts";
import type { ObjectCondition } from "./requests.ts";

/** What a profile says of itself, at `head`. */
export type ProfileHeadItem = ProfileName & {
  readonly type: "head";
  readonly labels: Readonly<Record<string, string>>;
  readonly createdAtMs?: number;
  /** The EventTrigger that has generated it. */
  readonly trigger?: string;
  readonly syncMode: string;
  readonly tier: number;
  readonly stopMatchingBehavior: string;
  readonly continueOnConflict: boolean;
  /** As text: `env=prod`. Empty when it selects by references alone. */
  readonly selector: string;
  /** Clusters and sets that it names: `SveltosCluster fleet/east`, `ClusterSet east`. */
  readonly references: readonly string[];
  /** What is wrong with the profile itself. */
  readonly message?: string;
  readonly isPaused: boolean;
  readonly isDeleting: boolean;
  readonly conditions: readonly ObjectCondition[];
  /** As it is written: `10%`. Absent without a limit. */
  readonly maxUpdate?: string;
  /** How many clusters may be updated at once. Absent without a limit. */
  readonly limit?: number;
};

/** How far the present profile has come in a cluster. */
export type RollOutPhase = "updated" | "updating" | "pending" | "removing";

/** A cluster that a profile matches, or from which it is withdrawn, at `cluster/KEY`. */
export type ProfileClusterItem = {
  readonly type: "cluster";
  /** `KIND/NAMESPACE/NAME`. */
  readonly key: string;
  readonly kind: "SveltosCluster" | "Cluster";
  readonly namespace: string;
  readonly name: string;
  readonly state: CellState;
  /** The number of a reason. Failures for the same reason have the same. */
  readonly reason?: number;
  readonly phase: RollOutPhase;
  /** The ClusterSummary; absent while there is none. */
  readonly summary?: string;
};

/** Something that a profile deploys, at `content/NUMBER`. */
export type ProfileContentItem = {
  readonly type: "content";
  readonly order: number;
  readonly feature: "Helm" | "Resources" | "Kustomize";
  /** `ConfigMap default/web`, or the release `shop/web`. */
  readonly title: string;
  /** Of a chart: where it is from. */
  readonly detail?: string;
};

/** A profile that another one depends on, at `dependency/…`. */
export type ProfileDependencyItem = {
  readonly type: "dependency";
  readonly profile: ProfileName;
  /** `needs`: it must be deployed before; `neededBy`: it comes afterwards. */
  readonly direction: "needs" | "neededBy";
  /** Whether there is such a profile, as far as can be read. */
  readonly exists: boolean;
  readonly message?: string;
};
