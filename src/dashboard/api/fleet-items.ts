/** How a profile is doing in a cluster. */
export type CellState = "ready" | "progressing" | "waiting" | "failed" | "skipped";

/** A kind of column: a profile that somebody wrote, or a trigger with all profiles that it has generated. */
type ColumnKind = "ClusterProfile" | "Profile" | "EventTrigger";

/**
 * Says at `known` that all clusters and profiles have been read once: what is missing is not there. Cells follow while the
 * ClusterSummaries are being read; what is missing of them is not there when they are `read`, and not known otherwise.
 */
export type FleetKnownItem = { readonly type: "known"; readonly cells: CellReading };

/** Whether the ClusterSummaries have been read; `refused`: none of them may be read. */
export type CellReading = "reading" | "read" | "refused";

/** A cluster of the fleet, at `cluster/KEY`. */
export type FleetClusterItem = {
  readonly type: "cluster";
  /** `KIND/NAMESPACE/NAME`. */
  readonly key: string;
  readonly kind: "SveltosCluster" | "Cluster";
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** `ready`: it answers; `waiting`: not ready yet; `skipped`: it is paused; `failed`: it is down or its object is wrong. */
  readonly state: CellState;
  readonly version?: string;
  readonly message?: string;
};

/** A column of the matrix, at `profile/KEY`. Its number stays while it is there, and is free afterwards. */
export type FleetProfileItem = {
  readonly type: "profile";
  /** `KIND/NAMESPACE/NAME`. */
  readonly key: string;
  readonly column: number;
  readonly kind: ColumnKind;
  readonly namespace: string;
  readonly name: string;
  readonly syncMode?: string;
  /** In how many clusters it is in each state. */
  readonly counts: Readonly<Partial<Record<CellState, number>>>;
  /** What is wrong with the profile itself. */
  readonly message?: string;
};

/** The cells of a cluster, at `row/KEY`. */
export type FleetRowItem = {
  readonly type: "row";
  /** The key of the cluster. */
  readonly key: string;
  /** A letter for each column, by `letterOf`; what is missing at the end is none. */
  readonly cells: string;
  /** The numbers of reasons, by column. */
  readonly reasons?: Readonly<Record<number, number>>;
};

/** Why cells are as they are, at `reason/NUMBER`. `{cluster}` stands for the cluster of the cell. */
export type FleetReasonItem = { readonly type: "reason"; readonly number: number; readonly text: string };

const letters = { ready: "r", progressing: "p", waiting: "w", failed: "f", skipped: "s" } as const;
const states: Readonly<Record<string, CellState>> = { r: "ready", p: "progressing", w: "waiting", f: "failed", s: "skipped" };

/** Stands in a row for a profile that does not match the cluster. */
export const noCell = ".";

/** The letter of a state in a row. */
export function letterOf(state: CellState): string {
  return letters[state];
}

/** The state of a column in a row; undefined where the profile does not match the cluster. */
export function cellStateAt(cells: string, column: number): CellState | undefined {
  return states[cells[column] ?? noCell];
}

/** The states, the most urgent first. */
export const cellStates: readonly CellState[] = ["failed", "waiting", "progressing", "skipped", "ready"];
