import type { NodeState, ObjectName } from "./release-items.ts";

/** What is known of one object: the answer of `/api/c/CONTEXT/object`. Sensitive values are hidden. */
export type ObjectDetail = {
  readonly ref: ObjectName;
  readonly health: { readonly state: NodeState; readonly because?: string };
  readonly createdAtMs?: number;
  readonly conditions: readonly ObjectCondition[];
  /** The latest first. */
  readonly events: readonly ObjectEvent[];
  readonly logs: readonly ContainerLog[];
  /** Against the revision before. Absent when no release was asked for, or when it has no such revision. */
  readonly diff?: ManifestDiff;
  /** Absent when it does not exist or may not be read. */
  readonly yaml?: string;
  /** What could not be read, and why. */
  readonly notices: readonly string[];
};

export type ObjectCondition = {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly atMs?: number;
};

export type ObjectEvent = {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** `pod/web-1` */
  readonly about: string;
  readonly count: number;
  readonly atMs?: number;
};

/** The last lines of a container that has failed. */
export type ContainerLog = { readonly pod: string; readonly container: string; readonly lines: readonly string[] };

/** How a manifest of one revision differs from that of another. */
export type ManifestDiff = {
  readonly before: number;
  readonly after: number;
  readonly change: "created" | "updated" | "deleted" | "unchanged";
  /** A unified diff of YAML; each line begins with a sign. */
  readonly lines: readonly string[];
};

/** A step of a run. Times are in ms since the start of the replay. */
export type ReplayStep = {
  /** The node that it is a part of. */
  readonly node: string;
  readonly run: number;
  readonly fromMs: number;
  /** Absent when its run ended before it did. */
  readonly toMs?: number;
  readonly outcome?: "finished" | "failed" | "skipped";
  readonly because?: string;
  readonly isRemoval?: true;
  readonly waits: readonly { readonly atMs: number; readonly because: string }[];
};

/** A recorded operation: the answer of `/api/c/CONTEXT/recording`. */
export type Replay = {
  readonly revision: number;
  readonly startedAtMs: number;
  readonly lengthMs: number;
  readonly runs: readonly ReplayRun[];
  readonly steps: readonly ReplayStep[];
};

export type ReplayRun = { readonly operation: string; readonly fromMs: number; readonly toMs: number; readonly status?: string };

/** How two revisions differ: the answer of `/api/c/CONTEXT/comparison`. */
export type RevisionComparison = {
  readonly before: number;
  readonly after: number;
  readonly objects: readonly (ManifestDiff & { readonly ref: ObjectName })[];
  /** Absent when one of them has no recording. */
  readonly times?: {
    readonly beforeMs: number;
    readonly afterMs: number;
    readonly slower: readonly ObjectTimes[];
    readonly faster: readonly ObjectTimes[];
    readonly added: readonly ObjectTimes[];
    readonly removed: readonly ObjectTimes[];
  };
  readonly notices: readonly string[];
};

export type ObjectTimes = { readonly ref: ObjectName; readonly beforeMs: number; readonly afterMs: number; readonly because?: string };
