import type { CellState } from "./fleet-items.ts";

/** The latest revision of a release. */
export type OverviewRelease = {
  readonly type: "release";
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  /** The state of the revision in Helm's words: `deployed`, `failed`, `pending-upgrade`. */
  readonly state: string;
  readonly updatedAtMs: number;
  /** Why it has failed, what it waits for now, or what the record says of it. Absent for one that is deployed. */
  readonly because?: string;
};

/** Something of a fleet that fails, that somebody should know of, or that had drifted. Equal ones of several clusters are one. */
export type OverviewFinding = {
  readonly type: "finding";
  readonly severity: "failing" | "noted" | "drift";
  readonly object: { readonly kind: string; readonly namespace: string; readonly name: string };
  readonly reason: string;
  readonly message: string;
  /** Some of the clusters that it holds in: `NAMESPACE/NAME`. */
  readonly clusters: readonly string[];
  /** How many clusters it holds in. */
  readonly clusterCount: number;
  readonly sinceMs?: number;
};

/** What a fleet is made of, and how many ClusterSummaries are in which state. Absent where no fleet is managed. */
export type OverviewFleet = {
  readonly type: "fleet";
  readonly clusters: number;
  /** Clusters that cannot be reached. */
  readonly down: number;
  readonly profiles: number;
  readonly triggers: number;
  readonly deployments: Readonly<Partial<Record<CellState, number>>>;
  /** Findings that are not sent, because there are too many. */
  readonly more: number;
};
